// A .pt2 archive as torch.export.save lays it out (torch >= 2.9): which member is what.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "archive/zip.h"
#include "support/byte_source.h"

namespace ptec::archive {

/// Reads a directory once and then hands out members. The file stays open as long as the
/// archive or anything that was read from it lives.
class Pt2Archive {
 public:
  /// Throws Io for what cannot be opened; Malformed or Unsupported, saying what the file is and the
  /// next step, for what is no .pt2; Malformed for archive_format, archive_version, .data/version
  /// or byteorder that are not as torch writes.
  static Pt2Archive open(const std::string& path);
  static Pt2Archive from_file(InputFile file);

  const InputFile& file() const { return *source_->file(); }
  /// The same file, for what outlives the archive.
  const ByteSource::Handle& source() const { return source_; }
  const std::string& root() const { return root_; }
  /// Names of the programs inside, "model" for what torch.export.save writes.
  std::vector<std::string> model_names() const;

  /// Members by name without the root folder. `find_` may return null.
  const ZipEntry* find_member(std::string_view name) const;
  const ZipEntry& member(std::string_view name) const;

  /// A whole member in memory, CRC checked.
  std::vector<std::byte> read_member(std::string_view name, std::uint64_t max_bytes) const;

  /// To be called for the texts of each engine record that is kept: one bound holds for all of them
  /// together, however many names an object has. Throws Limit.
  void spend_text(std::uint64_t size_bytes) const;

  /// The members in directory order.
  const std::vector<ZipEntry>& entries() const { return *entries_; }

 private:
  ByteSource::Handle source_;
  std::unique_ptr<std::vector<ZipEntry>> entries_;
  std::map<std::string, std::size_t, std::less<>> index_;
  std::string root_;
  std::unique_ptr<std::uint64_t> text_bytes_left_;
};

}  // namespace ptec::archive
