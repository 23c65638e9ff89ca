// The header of a .ptd, spliced in behind the flatbuffer's first 8 bytes. C++17.
#pragma once

#include <array>
#include <string_view>

#include "layout/little_endian.h"

namespace ptec {

inline constexpr std::string_view kPtdHeaderMagic = "FH01";

struct PtdHeader {            // byte 8 of the file; docs/formats/ptd.md
  std::array<char, 4> magic;  // "FH01"
  le32 length;                // of what is meaningful here: 40
  le64 flatbuffer_offset;     // 48: this header with its padding
  le64 flatbuffer_size;       // without this header, its first 8 bytes included
  le64 segment_base_offset;   // of the first segment, from the start of the file
  le64 segment_data_size;     // all segments with the padding between them
  std::array<char, 8> padding;
};
static_assert(sizeof(PtdHeader) == 48 && alignof(PtdHeader) == 1);

}  // namespace ptec
