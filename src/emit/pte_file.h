// The whole .pte: flatbuffer with its header spliced in, then the segments, streamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emit/segments.h"
#include "support/output_file.h"

namespace ptec::emit {

/// Size that `write_pte_file` will give the file.
std::uint64_t pte_file_size_bytes(const std::vector<std::byte>& flatbuffer,
                                  const SegmentTable& segments);

/// Writes front to back. Engines pass through one fixed buffer; each archive member that holds one
/// is read once and its CRC compared. docs/formats/pte.md has the picture.
void write_pte_file(OutputFile& file,
                    std::vector<std::byte> flatbuffer,
                    const SegmentTable& segments);

}  // namespace ptec::emit
