// The segments behind the flatbuffer of a .pte or a .ptd.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pte/pte.h"
#include "support/input_file.h"

namespace ptec::inspect {

/// Looks at the file from the end of the flatbuffer on; `base_bytes` is where segments may begin,
/// and every segment lies in the file. Throws Malformed for segments that overlap and for padding
/// that is not zero. Adds a warning for bytes behind the last segment.
void check_segments(const InputFile& file,
                    std::uint64_t flatbuffer_end_bytes,
                    std::uint64_t base_bytes,
                    std::span<const FileRange> segments,
                    std::vector<std::string>& warnings);

}  // namespace ptec::inspect
