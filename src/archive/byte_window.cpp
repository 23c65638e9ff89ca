#include "archive/byte_window.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/error.h"

namespace ptec::archive {

ByteWindow::ByteWindow(const InputFile& file,
                       std::uint64_t begin_offset_bytes,
                       std::uint64_t size_bytes)
    : file_(file), position_(begin_offset_bytes), end_(begin_offset_bytes + size_bytes) {}

std::uint8_t ByteWindow::next(std::string_view field) {
  if (position_ == end_) {
    fail(ErrorCode::Malformed, fmt::format("{}: the data ends at byte {}", field, end_));
  }
  if (position_ < buffer_offset_ || position_ - buffer_offset_ >= buffer_size_) {
    buffer_size_ =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size(), end_ - position_));
    buffer_offset_ = position_;
    file_.read_at(position_, std::span(buffer_).first(buffer_size_));
  }
  const std::byte out = buffer_[static_cast<std::size_t>(position_ - buffer_offset_)];
  ++position_;
  return static_cast<std::uint8_t>(out);
}

std::uint64_t ByteWindow::le(std::size_t size_bytes, std::string_view field) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < size_bytes; ++i) out |= std::uint64_t{next(field)} << (8 * i);
  return out;
}

void ByteWindow::skip(std::uint64_t size_bytes, std::string_view field) {
  if (size_bytes > remaining()) {
    fail(ErrorCode::Malformed,
         fmt::format("{} at byte {} needs {} bytes, {} are left",
                     field,
                     position_,
                     size_bytes,
                     remaining()));
  }
  position_ += size_bytes;
}

std::string ByteWindow::line(std::size_t max_bytes, std::string_view field) {
  const std::uint64_t begin = position_;
  std::string out;
  while (true) {
    const char c = static_cast<char>(next(field));
    if (c == '\n') return out;
    if (out.size() == max_bytes) {
      fail(ErrorCode::Malformed,
           fmt::format("{} at byte {} is over {} bytes long", field, begin, max_bytes));
    }
    out += c;
  }
}

}  // namespace ptec::archive
