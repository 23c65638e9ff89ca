// The end of a zip file, back to front:
//
//   directory | zip64 end record | zip64 locator | end record | comment
//               56 bytes           20 bytes        22 bytes     up to 65535 bytes
//
// The two zip64 records are optional; torch always writes them, other writers only when a number
// does not fit. What comes last is found by its signature, so bytes in a comment (or in the last
// member) can look like an end record.

#include "archive/zip_end.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "layout/zip.h"
#include "support/error.h"

namespace ptec::archive {
namespace {

constexpr std::uint64_t kMaxCommentBytes = 0xFFFF;

template <typename Record>
Record record_at(const InputFile& file, std::uint64_t offset_bytes) {
  Record out;
  file.read_at(offset_bytes, std::as_writable_bytes(std::span(&out, 1)));
  return out;
}

// Whether a field of the end record agrees with its zip64 counterpart: the same number, or all ones
// for "see there".
bool agrees(std::uint64_t narrow, std::uint64_t wide, std::uint64_t all_ones) {
  return narrow == wide || narrow == all_ones;
}

class EndFinder {
 public:
  EndFinder(const InputFile& file, std::uint64_t begin, std::uint64_t size)
      : file_(file), begin_(begin), size_(size) {}

  std::optional<ZipDirectory> find(std::string* problem);

 private:
  // The directory that the end record at `position` (in the window) names, or nothing and why not.
  std::optional<ZipDirectory> resolve(std::uint64_t position, std::string* problem) const;
  std::optional<ZipDirectory> resolve_zip64(const ZipEnd& end,
                                            const Zip64Locator& locator,
                                            std::uint64_t locator_position,
                                            std::string* problem) const;
  std::optional<ZipDirectory> check_place(const ZipDirectory& in_window,
                                          std::uint64_t directory_end,
                                          std::string* problem) const;

  const InputFile& file_;
  std::uint64_t begin_;
  std::uint64_t size_;
};

std::optional<ZipDirectory> EndFinder::check_place(const ZipDirectory& in_window,
                                                   std::uint64_t directory_end,
                                                   std::string* problem) const {
  if (in_window.offset_bytes > directory_end ||
      in_window.size_bytes != directory_end - in_window.offset_bytes) {
    *problem = fmt::format(
        "zip end record says a directory of {} bytes at byte {}, but the directory ends at byte {}",
        in_window.size_bytes,
        in_window.offset_bytes,
        directory_end);
    return std::nullopt;
  }
  ZipDirectory out = in_window;
  out.offset_bytes += begin_;
  return out;
}

std::optional<ZipDirectory> EndFinder::resolve_zip64(const ZipEnd& end,
                                                     const Zip64Locator& locator,
                                                     std::uint64_t locator_position,
                                                     std::string* problem) const {
  if (locator.end_disk != 0 || locator.disks > 1) {
    *problem = "zip file is spread over several disks";
    return std::nullopt;
  }
  const std::uint64_t position = locator.end_offset;
  if (position > locator_position || locator_position - position != sizeof(Zip64End)) {
    *problem = fmt::format(
        "zip64 locator at byte {} names an end record at byte {}, which is not right before it",
        begin_ + locator_position,
        position);
    return std::nullopt;
  }
  const auto wide = record_at<Zip64End>(file_, begin_ + position);
  if (wide.signature != kZip64EndSignature ||
      wide.size_after != sizeof(Zip64End) - sizeof(le32) - sizeof(le64)) {
    *problem = fmt::format("no zip64 end record at byte {}", begin_ + position);
    return std::nullopt;
  }
  if (wide.disk != 0 || wide.directory_disk != 0 || wide.entries_here != wide.entries) {
    *problem = "zip file is spread over several disks";
    return std::nullopt;
  }
  if (!agrees(end.entries, wide.entries, kZipIn64_16) ||
      !agrees(end.entries_here, wide.entries, kZipIn64_16) ||
      !agrees(end.directory_size, wide.directory_size, kZipIn64_32) ||
      !agrees(end.directory_offset, wide.directory_offset, kZipIn64_32)) {
    *problem = fmt::format("the end record and the zip64 end record at byte {} disagree",
                           begin_ + position);
    return std::nullopt;
  }
  return check_place({wide.directory_offset, wide.directory_size, wide.entries}, position, problem);
}

std::optional<ZipDirectory> EndFinder::resolve(std::uint64_t position, std::string* problem) const {
  const auto end = record_at<ZipEnd>(file_, begin_ + position);
  if (position >= sizeof(Zip64Locator)) {
    const std::uint64_t locator_position = position - sizeof(Zip64Locator);
    const auto locator = record_at<Zip64Locator>(file_, begin_ + locator_position);
    if (locator.signature == kZip64LocatorSignature) {
      const bool one_disk = (end.disk == 0 || end.disk == kZipIn64_16) &&
                            (end.directory_disk == 0 || end.directory_disk == kZipIn64_16);
      if (one_disk) return resolve_zip64(end, locator, locator_position, problem);
    }
  }
  if (end.disk != 0 || end.directory_disk != 0 || end.entries_here != end.entries) {
    *problem = "zip file is spread over several disks";
    return std::nullopt;
  }
  return check_place({end.directory_offset, end.directory_size, end.entries}, position, problem);
}

std::optional<ZipDirectory> EndFinder::find(std::string* problem) {
  *problem = fmt::format("zip file is cut short: no end record in its {} bytes", size_);
  if (size_ < sizeof(ZipEnd)) return std::nullopt;
  const std::uint64_t tail_size = std::min(size_, kMaxCommentBytes + sizeof(ZipEnd));
  std::vector<std::byte> tail(static_cast<std::size_t>(tail_size));
  file_.read_at(begin_ + (size_ - tail_size), tail);

  std::optional<ZipDirectory> found;
  std::uint64_t found_position = 0;
  bool saw_end_record = false;
  for (std::size_t after = sizeof(ZipEnd); after <= tail.size(); ++after) {
    ZipEnd end;
    std::memcpy(&end, tail.data() + (tail.size() - after), sizeof(end));
    if (end.signature != kZipEndSignature) continue;
    const std::uint64_t position = size_ - after;
    const std::size_t behind = after - sizeof(ZipEnd);
    std::string why;
    const std::optional<ZipDirectory> directory = resolve(position, &why);
    if (behind != end.comment_size) {
      // Perhaps bytes of a member. If it does name a directory, it is the end record and junk
      // follows it.
      if (directory && !saw_end_record) {
        *problem = fmt::format(
            "{} bytes follow the zip end record at byte {}, which says a comment of {} bytes",
            behind,
            begin_ + position,
            std::uint16_t{end.comment_size});
      }
      continue;
    }
    if (directory && found) {
      *problem = fmt::format("zip file has two end records, at bytes {} and {}",
                             begin_ + position,
                             begin_ + found_position);
      return std::nullopt;
    }
    if (directory) {
      found = directory;
      found_position = position;
    } else if (!saw_end_record) {
      *problem = std::move(why);
      saw_end_record = true;
    }
  }
  return found;
}

}  // namespace

std::optional<ZipDirectory> find_zip_directory(const InputFile& file,
                                               std::uint64_t begin_offset_bytes,
                                               std::uint64_t size_bytes,
                                               std::string* problem) {
  return EndFinder(file, begin_offset_bytes, size_bytes).find(problem);
}

}  // namespace ptec::archive
