// The outermost layer of a .pte: the extended header, and what it says about flatbuffer and
// segments.
#pragma once

#include <cstddef>
#include <vector>

#include "pte/pte.h"
#include "support/input_file.h"

namespace ptec::inspect {

/// Fills sizes and offsets of the file, without its segments, and returns the bytes of the
/// flatbuffer (with the header in it). Throws Malformed, saying how many bytes the file has and
/// needs, for a cut file; Limit for a flatbuffer over 2 GiB.
std::vector<std::byte> read_pte_container(const InputFile& file, PteFile& out);

/// Throws Malformed for segments outside the data or over one another, and for padding that is not
/// zero. Adds a warning for bytes behind the last segment.
void check_pte_regions(const InputFile& file, PteFile& out);

}  // namespace ptec::inspect
