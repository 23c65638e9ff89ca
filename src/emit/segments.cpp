#include "emit/segments.h"

#include "support/bytes.h"

namespace ptec::emit {
namespace {

/// Offsets of the contents behind one another, after the reserved entry. Returns the end.
std::uint64_t lay_out(const std::vector<Blob>& contents,
                      std::uint64_t alignment,
                      std::vector<std::uint64_t>& offsets) {
  offsets.push_back(0);
  std::uint64_t end = 0;
  for (const Blob& content : contents) {
    const std::uint64_t offset = round_up(end, alignment);
    offsets.push_back(offset);
    end = offset + content.size_bytes();
  }
  return end;
}

}  // namespace

SegmentTable plan_segments(const std::vector<Method>& methods,
                           const DataTable& constants,
                           const DataTable& initial_values,
                           RecordSums& sums) {
  SegmentTable table;
  table.constants = constants.contents();
  table.initial_values = initial_values.contents();
  const std::uint64_t constants_size =
      lay_out(table.constants, kConstantTensorAlignment, table.constant_offsets);
  table.segments.push_back({0, constants_size});
  if (!table.initial_values.empty()) {
    const std::uint64_t size = lay_out(table.initial_values, 1, table.initial_offsets);
    table.segments.push_back({round_up(constants_size, kSegmentAlignment), size});
    table.first_blob = 2;
  }
  DataTable blobs(sums);
  for (const Method& method : methods) {
    std::vector<std::uint32_t>& of_method = table.delegate_segments.emplace_back();
    for (const std::size_t index : method.delegates)
      of_method.push_back(table.first_blob + blobs.add(method.exec->delegates[index].blob));
  }
  table.blobs = blobs.contents();
  for (const Blob& blob : table.blobs) {
    const Segment& last = table.segments.back();
    table.segments.push_back(
        {round_up(last.offset_bytes + last.size_bytes, kSegmentAlignment), blob.size_bytes()});
  }
  return table;
}

}  // namespace ptec::emit
