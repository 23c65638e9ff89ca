// A file (or a piece of memory) that is read by position and never mapped.
//
// Mapped pages would count as resident memory of the process, so a 4 GiB engine would make the
// exporter look (and on a small machine be) 4 GiB large. Reads by position through the caller's
// buffer keep it at the buffer's size.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/bytes.h"

namespace ptec {

class InputFile {
 public:
  /// Opens a regular file. Throws Io, saying what it is instead, for a folder, FIFO, socket or
  /// device, and for what the system refuses. Never blocks.
  static InputFile open(const std::string& path);
  /// The same interface over memory that the object owns; `name` stands in for a path in messages.
  static InputFile from_bytes(std::string name, std::vector<std::byte> bytes);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  const std::string& name() const { return name_; }
  std::uint64_t size_bytes() const { return size_bytes_; }

  /// Fills `out` from `offset_bytes`. Throws Malformed past the end, Io when the system fails or
  /// the file shrank.
  void read_at(std::uint64_t offset_bytes, std::span<std::byte> out) const;

  /// Reads a whole range into memory. Throws Limit when `size_bytes` is over `max_bytes`; `what` is
  /// for the message.
  std::vector<std::byte> read_range(std::uint64_t offset_bytes,
                                    std::uint64_t size_bytes,
                                    std::uint64_t max_bytes,
                                    std::string_view what) const;

  /// Keeps `bytes` behind the end of the file and returns the offset at which reads find them, so
  /// that an inflated member can be read by position like a stored one. `size_bytes()` stays that
  /// of the file.
  std::uint64_t append(Bytes bytes);

  /// Identity of the file on disk, so that an output can be compared with an input. Zero for
  /// memory.
  std::uint64_t device_id() const { return device_id_; }
  std::uint64_t inode() const { return inode_; }

 private:
  InputFile() = default;
  std::uint64_t end_bytes() const;  // of the file and of what was appended
  void read_disk(std::uint64_t offset_bytes, std::span<std::byte> out) const;

  std::string name_;
  int descriptor_ = -1;
  std::vector<std::byte> memory_;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t device_id_ = 0;
  std::uint64_t inode_ = 0;
};

}  // namespace ptec
