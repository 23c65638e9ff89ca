// What lies behind the flatbuffer of a .pte, and where.
#pragma once

#include <cstdint>
#include <vector>

#include "emit/value.h"
#include "program/delegate.h"
#include "support/payload.h"

namespace ptec::emit {

inline constexpr std::uint64_t kSegmentAlignment = 128;        // ExecuTorch's default
inline constexpr std::uint64_t kConstantTensorAlignment = 16;  // likewise

struct Segment {
  std::uint64_t offset_bytes = 0;  // from the first segment
  std::uint64_t size_bytes = 0;    // without padding
};

struct SegmentTable {
  std::vector<Segment> segments;                // 0: constants, then one a distinct delegate blob
  std::vector<std::uint64_t> constant_offsets;  // entry 0 is the reserved placeholder
  std::vector<Payload> constants;               // in index order
  std::vector<const Blob*> blobs;               // by segment index - 1
  /// By method and by delegate call: the segment of its blob.
  std::vector<std::vector<std::uint32_t>> delegate_segments;

  std::uint64_t size_bytes() const {
    return segments.back().offset_bytes + segments.back().size_bytes;
  }
};

/// Lays out the constants and every distinct blob once, in plan order, then delegate order. Blobs
/// of one size are read and compared; nothing else is read.
SegmentTable plan_segments(const std::vector<Method>& methods,
                           const std::vector<Payload>& constants);

}  // namespace ptec::emit
