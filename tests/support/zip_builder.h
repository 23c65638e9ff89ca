// Builds small zip files in memory, right ones in torch's style and wrong ones on purpose: every
// field that a reader must not believe can be given another value. For large files there is
// zip_writer.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptec::test {

struct ZipMember {
  std::string name;
  std::string data;
  bool deflate = false;
  std::uint16_t flags = 0x0808;  // bit 3: sizes are zero in the header and stand in a descriptor
  bool pad = true;               // data at a multiple of 64, as torch does
  bool zip64 = false;            // 64-bit sizes and offset although they fit in 32
  bool descriptor_signature = true;
  std::string comment;
  std::string central_extra;

  // What to write instead of the truth.
  std::optional<std::string> local_name;
  std::optional<std::uint16_t> method;
  std::optional<std::uint16_t> local_method;
  std::optional<std::uint32_t> crc32;
  std::optional<std::uint64_t> stored_size;
  std::optional<std::uint64_t> inflated_size;
  std::optional<std::uint64_t> header_offset;
  std::optional<std::uint16_t> disk;
  std::string gap;  // bytes behind the member that belong to nothing
};

struct ZipFile {
  std::vector<ZipMember> members;
  bool zip64_end = true;
  std::string comment;

  std::optional<std::uint64_t> entries;
  std::optional<std::uint64_t> directory_size;
  std::optional<std::uint64_t> directory_offset;
  std::uint16_t disk = 0;
};

std::string build_zip(const ZipFile& zip);

/// The members of the smallest archive that is a .pt2 with a program (`models/model.json` is `{}`),
/// then `more`, with `root` in front of all of their names.
ZipFile pt2_zip(std::vector<ZipMember> more = {}, std::string_view root = "m");

std::vector<std::byte> bytes_of(std::string_view text);
/// Bytes of a hexadecimal text.
std::string from_hex(std::string_view hex);

}  // namespace ptec::test
