// The whole .pte: flatbuffer with its header spliced in, then the segments, streamed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emit/segments.h"
#include "support/output_file.h"
#include "support/payload_reader.h"

namespace ptec::emit {

/// Size that `write_pte_file` will give the file.
std::uint64_t pte_file_size_bytes(const std::vector<std::byte>& flatbuffer,
                                  const SegmentTable& segments);

/// Writes front to back, each payload through one fixed buffer, and checks what it writes: throws
/// what PayloadReader does. docs/formats/pte.md has the picture.
void write_pte_file(OutputFile& file,
                    std::vector<std::byte> flatbuffer,
                    const SegmentTable& segments,
                    RecordSums& sums);

}  // namespace ptec::emit
