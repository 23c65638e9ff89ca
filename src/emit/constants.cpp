#include "emit/constants.h"

namespace ptec::emit {
namespace {

std::uint64_t element_count(const TensorMeta& meta) {
  std::uint64_t count = 1;
  for (const Dim& dim : meta.sizes) count *= static_cast<std::uint64_t>(dim.number());
  return count;
}

}  // namespace

Payload dense_bytes(const TensorData& data) {
  const std::uint64_t item = static_cast<std::uint64_t>(info(data.meta.dtype).size_bytes);
  const std::uint64_t offset = static_cast<std::uint64_t>(data.meta.storage_offset.number()) * item;
  const std::uint64_t size = element_count(data.meta) * item;
  if (size == data.storage.size_bytes()) return data.storage;
  return data.storage.part(offset, size, "constant");
}

}  // namespace ptec::emit
