// Finds the central directory of a zip file from its end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/input_file.h"

namespace ptec::archive {

/// Where a directory lies. Offsets are in the file, not in the window.
struct ZipDirectory {
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t entries = 0;  // as declared
};

/// Looks for the end record in the window [begin, begin + size) of `file`, behind which only its
/// own comment may stand, and takes what it says from the zip64 records where there are any. An end
/// record counts only if the directory that it names ends right before it, so one that merely
/// stands in a comment is passed over; two that count are refused. Nothing, and the reason in
/// `*problem`, when there is no such record.
std::optional<ZipDirectory> find_zip_directory(const InputFile& file,
                                               std::uint64_t begin_offset_bytes,
                                               std::uint64_t size_bytes,
                                               std::string* problem);

}  // namespace ptec::archive
