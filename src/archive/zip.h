// The .pt2 container: a zip file of stored members, read through its central directory only.
#pragma once

#include <string_view>
#include <vector>

#include "support/input_file.h"
#include "support/payload.h"

namespace ptec::archive {

struct ZipEntry {
  FileRecord record;         // offset and size of the bytes as stored; crc32 of the inflated bytes
  std::uint16_t method = 0;  // 0 stored, 8 deflated
  std::uint64_t inflated_size_bytes = 0;
};

/// The members of a zip file in directory order. Reads the end records, the directory and each
/// local header (for its two lengths, its name and its signature), nothing else. `begin`/`size`
/// select a zip nested in `file`. Strict: throws Malformed for several disks, encryption,
/// overlapping members, members outside the file or inside the directory, unsafe or duplicate
/// names, text that is not UTF-8; Unsupported for methods other than 0 and 8. zip64 as torch writes
/// it, see docs/formats/pt2.md.
std::vector<ZipEntry> read_zip_directory(const InputFile& file,
                                         std::uint64_t begin_offset_bytes,
                                         std::uint64_t size_bytes);

/// How many bytes the deflated members of `file` may inflate to: memory stays in proportion to what
/// was sent.
std::uint64_t max_inflated_bytes(const InputFile& file);
/// The same for its JSON alone.
std::uint64_t max_inflated_json_bytes(const InputFile& file);

/// The inflated bytes of one member, with its CRC-32 checked when `check_crc`. Throws Limit over
/// `max_bytes`, and for a deflated member over `max_inflated_bytes`.
std::vector<std::byte> read_zip_entry(const InputFile& file,
                                      const ZipEntry& entry,
                                      std::uint64_t max_bytes,
                                      bool check_crc);

}  // namespace ptec::archive
