// What lies behind the flatbuffer of a .pte, and where.
#pragma once

#include <cstdint>
#include <vector>

#include "emit/value.h"
#include "ir/delegate.h"
#include "support/payload.h"

namespace ptec::emit {

inline constexpr std::uint64_t kSegmentAlignment = 128;        // ExecuTorch's default
inline constexpr std::uint64_t kConstantTensorAlignment = 16;  // likewise

struct Segment {
  std::uint64_t offset_bytes = 0;  // from the first segment
  std::uint64_t size_bytes = 0;    // without padding
};

struct SegmentTable {
  /// 0: constants, then buffers' initial values where there are any, then one a distinct delegate
  /// blob.
  std::vector<Segment> segments;
  std::vector<std::uint64_t> constant_offsets;  // entry 0 is the reserved placeholder
  std::vector<Payload> constants;               // in index order
  std::vector<std::uint64_t> initial_offsets;   // as constant_offsets; empty without initial values
  std::vector<Payload> initial_values;          // in index order
  std::vector<const Blob*> blobs;               // by segment index - first_blob
  std::uint32_t first_blob = 1;                 // index of the first blob's segment
  /// By method and by delegate call: the segment of its blob.
  std::vector<std::vector<std::uint32_t>> delegate_segments;

  std::uint64_t size_bytes() const {
    return segments.back().offset_bytes + segments.back().size_bytes;
  }
};

/// Lays out the constants, the initial values (without alignment: the runtime copies them when it
/// loads a method) and every distinct blob once, in plan order, then delegate order. Blobs of one
/// size are read and compared; nothing else is read.
SegmentTable plan_segments(const std::vector<Method>& methods,
                           const std::vector<Payload>& constants,
                           const std::vector<Payload>& initial_values = {});

}  // namespace ptec::emit
