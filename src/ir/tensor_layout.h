// How the elements of a strided tensor lie in its storage.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.h"

namespace ptec {

/// Strides of a tensor without gaps, last dimension innermost; a size of 0 counts as 1, as in
/// torch. Nothing when a stride passes 63 bits. Symbolic strides are added to `exprs`.
std::optional<std::vector<Dim>> contiguous_strides(ExprPool& exprs, const std::vector<Dim>& sizes);

/// Byte counts of a view whose sizes, strides and offset are numbers, none negative. Absent: past
/// 64 bits.
struct Extent {
  bool empty = false;  // no elements; the counts are 0
  std::optional<std::uint64_t>
      end_bytes;  // from the start of the storage to the end of the last element
  std::optional<std::uint64_t> packed_bytes;  // of as many elements without gaps
};
Extent extent_of(const TensorMeta& meta);

}  // namespace ptec
