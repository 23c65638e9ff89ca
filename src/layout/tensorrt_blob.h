// The header of the bytes that TensorRTBackend gets. C++17.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "layout/little_endian.h"

namespace ptec {

inline constexpr std::string_view kTensorRtMagicPlain = "TR01";
inline constexpr std::string_view kTensorRtMagicAliased =
    "TR02";                                                    // the metadata has aliased bindings
inline constexpr std::uint64_t kTensorRtEngineAlignment = 16;  // of the engine in the blob, bytes

struct TensorRtBlobHeader {  // byte 0 of the blob; docs/formats/tensorrt_blob.md
  std::array<char, 4> magic;
  le32 metadata_offset;  // bytes from the start of the blob
  le32 metadata_size;    // of the JSON
  le32 engine_offset;    // a multiple of 16
  le64 engine_size;
  std::array<std::byte, 8> reserved;  // 01 00 00 00 00 00 00 00
};
static_assert(sizeof(TensorRtBlobHeader) == 32 && alignof(TensorRtBlobHeader) == 1);

}  // namespace ptec
