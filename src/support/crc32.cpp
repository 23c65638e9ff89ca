#include "support/crc32.h"

#include <libdeflate.h>

namespace ptec {

std::uint32_t crc32(std::uint32_t before, Bytes bytes) {
  if (bytes.empty())
    return before;  // libdeflate takes a null pointer for "give me the start value"
  return libdeflate_crc32(before, bytes.data(), bytes.size());
}

}  // namespace ptec
