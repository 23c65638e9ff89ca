// Reads a range of a file front to back through a small buffer; what is skipped is never loaded.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/input_file.h"

namespace ptec::archive {

class ByteWindow {
 public:
  /// The range lies within the file.
  ByteWindow(const InputFile& file, std::uint64_t begin_offset_bytes, std::uint64_t size_bytes);

  std::uint64_t offset_bytes() const { return position_; }  // in the file
  std::uint64_t remaining() const { return end_ - position_; }

  /// A little-endian integer of `size_bytes` (1 to 8). Throws Malformed, naming `field`, past the
  /// end.
  std::uint64_t le(std::size_t size_bytes, std::string_view field);
  /// Moves on by `size_bytes`. Throws Malformed past the end.
  void skip(std::uint64_t size_bytes, std::string_view field);
  /// The text up to the next line feed, which is taken too. Throws Malformed over `max_bytes` or
  /// past the end.
  std::string line(std::size_t max_bytes, std::string_view field);

 private:
  std::uint8_t next(std::string_view field);

  const InputFile& file_;
  std::uint64_t position_;
  std::uint64_t end_;
  std::uint64_t buffer_offset_ = 0;  // in the file, of buffer_[0]
  std::size_t buffer_size_ = 0;
  std::array<std::byte, 4096> buffer_{};
};

}  // namespace ptec::archive
