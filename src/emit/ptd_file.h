// A .ptd: named tensors beside a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emit/external.h"
#include "emit/segments.h"
#include "support/output_file.h"
#include "support/payload_reader.h"

namespace ptec::emit {

/// A file ready to be written. Contents are borrowed.
struct PtdImage {
  std::vector<std::byte> front;       // flatbuffer with the header in it, padded to the segments
  std::vector<Segment> segments;      // one a distinct content
  std::vector<const Blob*> contents;  // by segment
  std::uint64_t size_bytes() const {
    return front.size() +
           (segments.empty() ? 0 : segments.back().offset_bytes + segments.back().size_bytes);
  }
};

/// Lays out a file, byte for byte as the reference does, whose flatbuffer comes from flatc's JSON
/// parser: fields by size, last first. Source: ExecuTorch 1.4,
/// extension/flat_tensor/serialize/serialize.py.
PtdImage lay_out_ptd(const ExternalFile& file, const std::vector<Blob>& contents);

/// Writes front to back, each payload through one fixed buffer, and checks what it writes: throws
/// what PayloadReader does.
void write_ptd_file(OutputFile& file, const PtdImage& image, RecordSums& sums);

}  // namespace ptec::emit
