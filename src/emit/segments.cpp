#include "emit/segments.h"

#include <map>

#include "support/bytes.h"

namespace ptec::emit {
namespace {

bool same_blob(const Blob& a, const Blob& b) {
  if (a.pieces.size() != b.pieces.size()) return false;
  for (std::size_t i = 0; i < a.pieces.size(); ++i) {
    if (a.pieces[i].size_bytes() != b.pieces[i].size_bytes()) return false;
  }
  for (std::size_t i = 0; i < a.pieces.size(); ++i) {
    if (!same_bytes(a.pieces[i], b.pieces[i])) return false;
  }
  return true;
}

/// Offsets of the payloads behind one another, after the reserved entry. Returns the end.
std::uint64_t lay_out(const std::vector<Payload>& payloads,
                      std::uint64_t alignment,
                      std::vector<std::uint64_t>& offsets) {
  offsets.push_back(0);
  std::uint64_t end = 0;
  for (const Payload& payload : payloads) {
    const std::uint64_t offset = round_up(end, alignment);
    offsets.push_back(offset);
    end = offset + payload.size_bytes();
  }
  return end;
}

}  // namespace

SegmentTable plan_segments(const std::vector<Method>& methods,
                           const std::vector<Payload>& constants,
                           const std::vector<Payload>& initial_values) {
  SegmentTable table;
  table.constants = constants;
  table.initial_values = initial_values;
  const std::uint64_t constants_size =
      lay_out(constants, kConstantTensorAlignment, table.constant_offsets);
  table.segments.push_back({0, constants_size});
  if (!initial_values.empty()) {
    const std::uint64_t size = lay_out(initial_values, 1, table.initial_offsets);
    table.segments.push_back({round_up(constants_size, kSegmentAlignment), size});
    table.first_blob = 2;
  }

  std::map<std::uint64_t, std::vector<std::uint32_t>> by_size;
  for (const Method& method : methods) {
    std::vector<std::uint32_t>& of_method = table.delegate_segments.emplace_back();
    for (const std::size_t index : method.delegates) {
      const Blob& blob = method.exec->delegates[index].blob;
      std::uint32_t segment = 0;
      std::vector<std::uint32_t>& candidates = by_size[blob.size_bytes()];
      for (const std::uint32_t candidate : candidates) {
        if (same_blob(*table.blobs[candidate - table.first_blob], blob)) segment = candidate;
      }
      if (segment == 0) {
        segment = static_cast<std::uint32_t>(table.segments.size());
        const std::uint64_t offset =
            round_up(table.segments.back().offset_bytes + table.segments.back().size_bytes,
                     kSegmentAlignment);
        table.segments.push_back({offset, blob.size_bytes()});
        table.blobs.push_back(&blob);
        candidates.push_back(segment);
      }
      of_method.push_back(segment);
    }
  }
  return table;
}

}  // namespace ptec::emit
