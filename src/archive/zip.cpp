// Reads a zip file's directory, strictly. Every byte of the file has to belong to something:
//
//   header name extra | data | descriptor?     once a member, in any order, with nothing between
//   them directory: one central header a member     names, sizes, checksums; the only place that is
//   believed end records                                zip_end.cpp
//
// What stands twice is compared, so that a damaged directory cannot quietly select other bytes: the
// name, method and (where the header has them) sizes of each local header, and the data descriptor
// behind the data. Any bytes are safe here: fuzz/archive_fuzz.cpp.

#include "archive/zip.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "archive/zip_end.h"
#include "archive/zip_name.h"
#include "layout/zip.h"
#include "support/byte_reader.h"
#include "support/bytes.h"
#include "support/crc32.h"
#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"

namespace ptec::archive {
namespace {

struct Member {
  ZipEntry entry;
  std::uint64_t header_offset = 0;  // in the file
  bool has_descriptor = false;
  bool is_folder = false;
};

[[noreturn]] void fail_member(std::string_view name, std::string_view message) {
  fail(ErrorCode::Malformed, fmt::format("member '{}': {}", name, message));
}

// Takes the 64-bit numbers of the zip64 field, in the fixed order, for those members that are all
// ones.
void read_zip64_field(ByteReader field, std::string_view name, std::uint64_t* numbers[3]) {
  for (int i = 0; i < 3; ++i) {
    if (*numbers[i] == kZipIn64_32) *numbers[i] = field.le<std::uint64_t>("zip64 field");
  }
  if (field.remaining() != 0) {
    fail_member(name,
                fmt::format("zip64 field holds {} bytes too many at byte {}",
                            field.remaining(),
                            field.offset_bytes()));
  }
}

void read_extra_fields(ByteReader extra, std::string_view name, std::uint64_t* numbers[3]) {
  const bool wants_zip64 =
      *numbers[0] == kZipIn64_32 || *numbers[1] == kZipIn64_32 || *numbers[2] == kZipIn64_32;
  bool has_zip64 = false;
  while (extra.remaining() != 0) {
    const auto header = extra.record<ZipExtraHeader>("extra field");
    const std::uint64_t offset = extra.offset_bytes();
    const Bytes data = extra.take(header.size, "extra field");
    if (header.id != kZip64ExtraId) continue;
    if (has_zip64) fail_member(name, fmt::format("second zip64 field at byte {}", offset));
    has_zip64 = true;
    read_zip64_field(ByteReader(data, offset), name, numbers);
  }
  if (wants_zip64 && !has_zip64) fail_member(name, "size or offset says zip64, but no zip64 field");
}

void check_method(const ZipCentralHeader& header, const ZipEntry& entry) {
  const std::string_view name = entry.record.name;
  constexpr std::uint16_t kEncryption =
      kZipFlagEncrypted | kZipFlagStrongEncryption | kZipFlagMaskedHeaders;
  constexpr std::uint16_t kKnown = kZipFlagDeflateLevel | kZipFlagDescriptor | kZipFlagUtf8;
  const std::uint16_t flags = header.flags;
  if ((flags & kEncryption) != 0) fail_member(name, "encrypted");
  if ((flags & ~kKnown) != 0) fail_member(name, fmt::format("unknown zip flags {:#06x}", flags));
  if (entry.method == kZipMethodStored) {
    if (entry.inflated_size_bytes != entry.record.size_bytes) {
      fail_member(name,
                  fmt::format("stored, but its two sizes are {} and {}",
                              entry.record.size_bytes,
                              entry.inflated_size_bytes));
    }
    return;
  }
  if (entry.method != kZipMethodDeflated) {
    fail(
        ProblemId::MemberCompressed,
        fmt::format("member '{}': compression method {}, only 0 (stored) and 8 (deflated) are read",
                    name,
                    entry.method));
  }
  if (entry.inflated_size_bytes / kMaxInflateRatio > entry.record.size_bytes) {
    fail_member(
        name,
        fmt::format(
            "{} bytes cannot inflate to {}", entry.record.size_bytes, entry.inflated_size_bytes));
  }
}

Member read_central_header(ByteReader& directory, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t offset = directory.offset_bytes();
  const auto header = directory.record<ZipCentralHeader>("zip directory");
  if (header.signature != kZipCentralSignature) {
    fail(ErrorCode::Malformed, fmt::format("zip directory: no member's header at byte {}", offset));
  }
  Member out;
  FileRecord& record = out.entry.record;
  record.name = as_text(directory.take(header.name_size, "member name"));
  out.is_folder = check_zip_name(record.name, offset);
  record.crc32 = header.crc32;
  record.size_bytes = header.stored_size;
  out.entry.inflated_size_bytes = header.inflated_size;
  out.entry.method = header.method;
  out.has_descriptor = (header.flags & kZipFlagDescriptor) != 0;
  out.header_offset = header.header_offset;
  std::uint64_t* numbers[3] = {
      &out.entry.inflated_size_bytes, &record.size_bytes, &out.header_offset};
  const std::uint64_t extra_offset = directory.offset_bytes();
  read_extra_fields(ByteReader(directory.take(header.extra_size, "extra fields"), extra_offset),
                    record.name,
                    numbers);
  directory.skip(header.comment_size, "member comment");
  if (header.disk != 0) fail_member(record.name, "on another disk");
  check_method(header, out.entry);
  if (out.is_folder && out.entry.inflated_size_bytes != 0) {
    fail_member(record.name, "a folder with data");
  }
  if (out.header_offset > end - begin) {
    fail_member(record.name,
                fmt::format("its header at byte {} lies behind the members, which end at byte {}",
                            out.header_offset,
                            end - begin));
  }
  out.header_offset += begin;
  return out;
}

std::vector<Member> read_central_directory(const InputFile& file,
                                           const ZipDirectory& place,
                                           std::uint64_t begin) {
  if (place.entries > kMaxArchiveEntries) {
    fail(ErrorCode::Limit,
         fmt::format("zip directory says {} members, at most {} are read",
                     place.entries,
                     kMaxArchiveEntries));
  }
  const std::vector<std::byte> bytes =
      file.read_range(place.offset_bytes, place.size_bytes, kMaxDirectoryBytes, "zip directory");
  ByteReader reader(bytes, place.offset_bytes);
  const std::size_t count = reader.count(place.entries, sizeof(ZipCentralHeader), "zip directory");
  std::vector<Member> members;
  members.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    members.push_back(read_central_header(reader, begin, place.offset_bytes));
  }
  if (reader.remaining() != 0) {
    fail(ErrorCode::Malformed,
         fmt::format("zip directory: {} bytes behind its {} members, at byte {}",
                     reader.remaining(),
                     count,
                     reader.offset_bytes()));
  }
  return members;
}

void check_names_differ(const std::vector<Member>& members) {
  std::vector<std::string_view> names;
  names.reserve(members.size());
  for (const Member& member : members) names.push_back(member.entry.record.name);
  std::sort(names.begin(), names.end());
  const auto twin = std::adjacent_find(names.begin(), names.end());
  if (twin != names.end()) fail_member(*twin, "appears twice");
}

// Compares the local header at `member.header_offset` with the directory, and learns where the data
// begins.
void read_local_header(const InputFile& file, std::uint64_t end, Member& member) {
  ZipEntry& entry = member.entry;
  FileRecord& record = entry.record;
  const std::uint64_t room = end - member.header_offset;
  const std::size_t size = sizeof(ZipLocalHeader) + record.name.size();
  if (room < size) {
    fail_member(record.name,
                fmt::format("its header at byte {} reaches into the directory at byte {}",
                            member.header_offset,
                            end));
  }
  std::vector<std::byte> bytes(size);
  file.read_at(member.header_offset, bytes);
  ByteReader reader(bytes, member.header_offset);
  const auto header = reader.record<ZipLocalHeader>("member header");
  if (header.signature != kZipLocalSignature) {
    fail_member(record.name, fmt::format("no member header at byte {}", member.header_offset));
  }
  if (header.name_size != record.name.size() ||
      as_text(reader.take(record.name.size(), "member name")) != record.name) {
    fail_member(record.name,
                fmt::format("the header at byte {} has another name", member.header_offset));
  }
  if (header.method != entry.method || (header.flags & kZipFlagEncrypted) != 0) {
    fail_member(record.name,
                fmt::format("the header at byte {} has another method", member.header_offset));
  }
  if ((header.flags & kZipFlagDescriptor) != 0) {
    member.has_descriptor = true;  // sizes come behind the data; torch writes zeros here
  } else {
    const auto agrees = [](std::uint32_t narrow, std::uint64_t wide) {
      return narrow == wide || narrow == kZipIn64_32;
    };
    if (header.crc32 != record.crc32 || !agrees(header.stored_size, record.size_bytes) ||
        !agrees(header.inflated_size, entry.inflated_size_bytes)) {
      fail_member(record.name,
                  fmt::format("the header at byte {} has another size or crc-32 than the directory",
                              member.header_offset));
    }
  }
  const std::uint64_t before_data = std::uint64_t{size} + header.extra_size;
  if (before_data > room || record.size_bytes > room - before_data) {
    fail_member(record.name,
                fmt::format("{} bytes behind the header at byte {} reach past the end of the "
                            "members at byte {}",
                            record.size_bytes,
                            member.header_offset,
                            end));
  }
  record.offset_bytes = member.header_offset + before_data;
}

// Looks at the bytes between a member's data and what follows it: a data descriptor, or nothing.
void check_gap(const InputFile& file, const Member& member, std::uint64_t gap_end) {
  const FileRecord& record = member.entry.record;
  const std::uint64_t gap_begin = record.offset_bytes + record.size_bytes;
  const std::uint64_t size = gap_end - gap_begin;
  if (!member.has_descriptor) {
    if (size == 0) return;
    fail(ErrorCode::Malformed,
         fmt::format("{} bytes at byte {}, behind member '{}', belong to nothing",
                     size,
                     gap_begin,
                     record.name));
  }
  // An optional signature, the checksum, then two sizes of 32 or 64 bits.
  const bool has_signature = size == 16 || size == 24;
  const bool is_wide = size == 20 || size == 24;
  if (!has_signature && !is_wide && size != 12) {
    fail_member(record.name,
                fmt::format("{} bytes at byte {} are no data descriptor", size, gap_begin));
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  file.read_at(gap_begin, bytes);
  ByteReader reader(bytes, gap_begin);
  const auto number = [&] {
    return is_wide ? reader.le<std::uint64_t>("data descriptor")
                   : std::uint64_t{reader.le<std::uint32_t>("data descriptor")};
  };
  bool fits =
      !has_signature || reader.le<std::uint32_t>("data descriptor") == kZipDescriptorSignature;
  fits = reader.le<std::uint32_t>("data descriptor") == record.crc32 && fits;
  fits = number() == record.size_bytes && fits;
  fits = number() == member.entry.inflated_size_bytes && fits;
  if (!fits) {
    fail_member(
        record.name,
        fmt::format("the data descriptor at byte {} disagrees with the directory", gap_begin));
  }
}

// Visits the members in the order of the file: no overlap, no gap.
void check_layout(const InputFile& file,
                  std::uint64_t begin,
                  std::uint64_t end,
                  std::vector<Member>& members) {
  std::vector<Member*> by_offset;
  by_offset.reserve(members.size());
  for (Member& member : members) by_offset.push_back(&member);
  std::sort(by_offset.begin(), by_offset.end(), [](const Member* a, const Member* b) {
    return a->header_offset < b->header_offset;
  });
  const Member* previous = nullptr;
  std::uint64_t cursor = begin;
  for (Member* member : by_offset) {
    if (member->header_offset < cursor) {
      fail_member(member->entry.record.name,
                  fmt::format("its header at byte {} overlaps member '{}', which ends at byte {}",
                              member->header_offset,
                              previous->entry.record.name,
                              cursor));
    }
    if (previous != nullptr) check_gap(file, *previous, member->header_offset);
    if (previous == nullptr && member->header_offset != begin) break;
    read_local_header(file, end, *member);
    cursor = member->entry.record.offset_bytes + member->entry.record.size_bytes;
    previous = member;
  }
  if (previous != nullptr) {
    check_gap(file, *previous, end);
  } else if (end != begin) {
    fail(ErrorCode::Malformed,
         fmt::format("bytes before the first member, at byte {}, belong to nothing", begin));
  }
}

std::uint64_t inflated_share(const InputFile& file, std::uint64_t free_bytes) {
  const std::uint64_t share =
      checked_mul(file.size_bytes(), kMaxInflatedShare).value_or(kMaxInflatedBytes);
  return std::min(std::max(share, free_bytes), kMaxInflatedBytes);
}

std::vector<std::byte> inflate(const ZipEntry& entry, const std::vector<std::byte>& stored) {
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> inflater(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (inflater == nullptr) fail(ErrorCode::Limit, "out of memory for inflating");
  std::vector<std::byte> out(static_cast<std::size_t>(entry.inflated_size_bytes));
  std::byte nothing{};  // libdeflate wants a place to write to, even for no bytes
  std::size_t taken = 0;
  std::size_t made = 0;
  const libdeflate_result result =
      libdeflate_deflate_decompress_ex(inflater.get(),
                                       stored.data(),
                                       stored.size(),
                                       out.empty() ? &nothing : out.data(),
                                       out.size(),
                                       &taken,
                                       &made);
  if (result != LIBDEFLATE_SUCCESS || taken != stored.size() || made != out.size()) {
    fail_member(entry.record.name,
                fmt::format("the deflated bytes at byte {} do not inflate to the {} bytes that the "
                            "directory says",
                            entry.record.offset_bytes,
                            entry.inflated_size_bytes));
  }
  return out;
}

}  // namespace

std::vector<ZipEntry> read_zip_directory(const InputFile& file,
                                         std::uint64_t begin_offset_bytes,
                                         std::uint64_t size_bytes) {
  std::string problem;
  const std::optional<ZipDirectory> place =
      find_zip_directory(file, begin_offset_bytes, size_bytes, &problem);
  if (!place) fail(ErrorCode::Malformed, problem);
  std::vector<Member> members = read_central_directory(file, *place, begin_offset_bytes);
  check_names_differ(members);
  check_layout(file, begin_offset_bytes, place->offset_bytes, members);
  std::vector<ZipEntry> out;
  out.reserve(members.size());
  for (Member& member : members) {
    if (!member.is_folder) out.push_back(std::move(member.entry));
  }
  return out;
}

std::uint64_t max_inflated_bytes(const InputFile& file) {
  return inflated_share(file, kFreeInflatedBytes);
}

std::uint64_t max_inflated_json_bytes(const InputFile& file) {
  return inflated_share(file, kFreeInflatedJsonBytes);
}

std::vector<std::byte> read_zip_entry(const InputFile& file,
                                      const ZipEntry& entry,
                                      std::uint64_t max_bytes,
                                      bool check_crc) {
  const FileRecord& record = entry.record;
  const bool is_stored = entry.method == kZipMethodStored;
  if (!is_stored && entry.inflated_size_bytes > max_inflated_bytes(file)) {
    fail(ErrorCode::Limit,
         fmt::format("member '{}' inflates from {} bytes to {}, at most {} are inflated of a file "
                     "of this size; store it instead",
                     record.name,
                     record.size_bytes,
                     entry.inflated_size_bytes,
                     max_inflated_bytes(file)));
  }
  if (entry.inflated_size_bytes > max_bytes) {
    fail(ErrorCode::Limit,
         fmt::format("member '{}' has {} bytes, at most {} are read",
                     record.name,
                     entry.inflated_size_bytes,
                     max_bytes));
  }
  std::vector<std::byte> bytes = file.read_range(record.offset_bytes,
                                                 record.size_bytes,
                                                 is_stored ? max_bytes : kMaxInflatedBytes,
                                                 "zip member");
  if (!is_stored) bytes = inflate(entry, bytes);
  if (check_crc) {
    const std::uint32_t crc = crc32(0, bytes);
    if (crc != record.crc32) {
      fail_member(record.name,
                  fmt::format("damaged: the crc-32 of its {} bytes at byte {} is {:08x}, the "
                              "directory says {:08x}",
                              record.size_bytes,
                              record.offset_bytes,
                              crc,
                              record.crc32));
    }
  }
  return bytes;
}

}  // namespace ptec::archive
