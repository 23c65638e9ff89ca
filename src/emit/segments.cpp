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

}  // namespace

SegmentTable plan_segments(const std::vector<Method>& methods,
                           const std::vector<Payload>& constants) {
  SegmentTable table;
  table.constants = constants;
  table.constant_offsets.push_back(0);
  std::uint64_t end = 0;
  for (const Payload& constant : constants) {
    const std::uint64_t offset = round_up(end, kConstantTensorAlignment);
    table.constant_offsets.push_back(offset);
    end = offset + constant.size_bytes();
  }
  table.segments.push_back({0, end});

  std::map<std::uint64_t, std::vector<std::uint32_t>> by_size;
  for (const Method& method : methods) {
    std::vector<std::uint32_t>& of_method = table.delegate_segments.emplace_back();
    for (const std::size_t index : method.delegates) {
      const Blob& blob = method.program->delegates[index].blob;
      std::uint32_t segment = 0;
      std::vector<std::uint32_t>& candidates = by_size[blob.size_bytes()];
      for (const std::uint32_t candidate : candidates) {
        if (same_blob(*table.blobs[candidate - 1], blob)) segment = candidate;
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
