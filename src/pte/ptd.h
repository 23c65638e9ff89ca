// A data file (.ptd), tensors beside a program, read strictly: what is in a PtdFile obeys
// docs/formats/ptd.md, so that the runtime, which checks next to nothing, may have the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pte/pte.h"
#include "pte/pte_dtype.h"
#include "support/input_file.h"

namespace ptec::inspect {

struct PtdLayout {
  const PteDtype* dtype = nullptr;
  std::vector<std::int32_t> sizes;
  std::vector<std::uint8_t> dim_order;  // outermost first
  std::uint64_t size_bytes = 0;         // no more than the segment has
};

struct PtdEntry {
  std::string key;                  // unique in the file
  std::uint32_t segment = 0;        // index into PtdFile::segments
  std::optional<PtdLayout> layout;  // nothing for a delegate's own data
};

struct PtdFile {
  std::uint64_t size_bytes = 0;
  std::uint32_t header_size_bytes = 0;     // as it says itself: 40
  std::uint64_t flatbuffer_end_bytes = 0;  // of the flatbuffer with the header in it
  std::uint64_t segment_base_bytes = 0;
  std::uint64_t segment_data_size_bytes = 0;
  std::vector<FileRange> segments;
  std::vector<PtdEntry> entries;
  std::vector<std::string> warnings;  // odd, but the runtime does not mind
};

/// Reads and checks everything but the segments' content. Throws Malformed naming field, wanted and
/// found; Unsupported for a newer version. Memory and time stay a small multiple of the
/// flatbuffer's size, whatever the bytes: fuzz/ptd_fuzz.cpp. Source of the rules: ExecuTorch 1.5,
/// extension/flat_tensor/{flat_tensor_data_map,serialize/flat_tensor_header}.cpp, and what they
/// take for granted.
PtdFile read_ptd(const InputFile& file);

}  // namespace ptec::inspect
