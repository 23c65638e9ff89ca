#include "emit/constants.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "plan/plan.h"
#include "support/error.h"

namespace ptec::emit {
namespace {

std::uint64_t hash_of(const Payload& payload) {
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  PayloadReader reader(payload, PayloadReader::Check::None);
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

void ConstantTable::check_record(const Payload& bytes) {
  if (bytes.is_range() && checked_.insert(bytes.record()).second)
    verify_record_crc(*bytes.file(), *bytes.record());
}

std::uint32_t ConstantTable::add(const Payload& bytes) {
  check_record(bytes);
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
  if (data.storage.is_range()) {
    return Payload::of_range(*data.storage.file(),
                             *data.storage.record(),
                             data.storage.offset_bytes() + offset,
                             size,
                             PayloadEncoding::Raw);
  }
  const Bytes bytes = slice(data.storage.memory(), offset, size, "constant");
  return Payload::of_bytes(std::vector<std::byte>(bytes.begin(), bytes.end()));
}

}  // namespace ptec::emit
