// How much text the records of engines may have, engines left aside.
#pragma once

#include <algorithm>
#include <cstdint>

#include "support/limits.h"

namespace ptec::archive {

/// The most for all texts together in a record, or in an archive, of `size_bytes`: memory stays in
/// proportion to what was sent.
constexpr std::uint64_t max_record_text_bytes(std::uint64_t size_bytes) {
  return std::clamp(size_bytes / kRecordTextPart, kFreeRecordTextBytes, kMaxRecordFieldBytes);
}

}  // namespace ptec::archive
