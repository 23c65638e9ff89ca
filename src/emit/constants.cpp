#include "emit/constants.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "support/payload_reader.h"

namespace ptec::emit {
namespace {

std::uint64_t hash_of(const Payload& payload) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  PayloadReader reader(payload);
  for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) {
    XXH3_64bits_update(&state, chunk.data(), chunk.size());
  }
  return XXH3_64bits_digest(&state);
}

std::uint64_t element_count(const TensorMeta& meta) {
  std::uint64_t count = 1;
  for (const Dim& dim : meta.sizes) count *= static_cast<std::uint64_t>(dim.number());
  return count;
}

}  // namespace

std::uint32_t ConstantTable::add(const Payload& bytes) {
  std::vector<std::uint32_t>& candidates = by_size_and_hash_[{bytes.size_bytes(), hash_of(bytes)}];
  for (const std::uint32_t candidate : candidates) {
    if (same_bytes(payloads_[candidate - 1], bytes)) return candidate;
  }
  payloads_.push_back(bytes);
  candidates.push_back(static_cast<std::uint32_t>(payloads_.size()));
  return candidates.back();
}

Payload dense_bytes(const TensorData& data) {
  const std::uint64_t item = static_cast<std::uint64_t>(info(data.meta.dtype).size_bytes);
  const std::uint64_t offset = static_cast<std::uint64_t>(data.meta.storage_offset.number()) * item;
  const std::uint64_t size = element_count(data.meta) * item;
  if (size == data.storage.size_bytes()) return data.storage;
  return data.storage.part(offset, size, "constant");
}

}  // namespace ptec::emit
