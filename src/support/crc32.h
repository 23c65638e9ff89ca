// CRC-32 as zip files use it.
#pragma once

#include "support/bytes.h"

namespace ptec {

/// The checksum of what gave `before`, followed by `bytes`. Start with 0.
std::uint32_t crc32(std::uint32_t before, Bytes bytes);

}  // namespace ptec
