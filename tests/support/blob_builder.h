// Blobs of TensorRTBackend, right or with one thing wrong.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "layout/tensorrt_blob.h"

namespace ptec::test {

struct BlobBuilder {
  std::string magic = "TR01";
  std::string json;
  std::string engine = "engine";
  std::uint32_t metadata_offset = 32;
  std::int64_t engine_offset_shift = 0;  // added to what the header says, not to where it is
  std::int64_t engine_size_shift = 0;
  std::string reserved = std::string("\1\0\0\0\0\0\0\0", 8);
  char padding = '\0';
  std::string tail;

  std::size_t engine_offset() const { return (32 + json.size() + 15) / 16 * 16; }

  std::string build() const {
    TensorRtBlobHeader header{};
    std::memcpy(header.magic.data(), magic.data(), 4);
    header.metadata_offset = metadata_offset;
    header.metadata_size = static_cast<std::uint32_t>(json.size());
    header.engine_offset = static_cast<std::uint32_t>(static_cast<std::int64_t>(engine_offset()) +
                                                      engine_offset_shift);
    header.engine_size =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(engine.size()) + engine_size_shift);
    std::memcpy(header.reserved.data(), reserved.data(), 8);
    std::string blob(sizeof(header), '\0');
    std::memcpy(blob.data(), &header, sizeof(header));
    blob += json;
    blob.resize(engine_offset(), padding);
    return blob + engine + tail;
  }
};

}  // namespace ptec::test
