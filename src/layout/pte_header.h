// The extended header of a .pte, spliced in behind the flatbuffer's first 8 bytes. C++17.
#pragma once

#include <array>
#include <string_view>

#include "layout/little_endian.h"

namespace ptec {

inline constexpr std::string_view kPteExtendedHeaderMagic = "eh00";

struct PteExtendedHeader {    // byte 8 of the file; docs/formats/pte.md
  std::array<char, 4> magic;  // "eh00"
  le32 length;                // of this header: 32; 24 in an older form without the last field
  le64 program_size;          // flatbuffer with this header in it, bytes
  le64 segment_base_offset;   // of the first segment, from the start of the file; 0 when there is
                              // none
  le64 segment_data_size;     // all segments with the padding between them
};
static_assert(sizeof(PteExtendedHeader) == 32 && alignof(PteExtendedHeader) == 1);

}  // namespace ptec
