#include "support/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "support/error.h"
#include "support/printable.h"

namespace ptec {
namespace {

// "no such file or directory": the system's text in our spelling.
std::string system_text(int error_number) {
  std::string text = std::generic_category().message(error_number);
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

[[noreturn]] void fail_to_open(const std::string& path, int error_number) {
  fail(ErrorCode::Io,
       fmt::format("cannot open '{}': {}", printable(path, 4096), system_text(error_number)));
}

void check_is_regular(const std::string& path, const struct stat& status) {
  std::string_view kind;
  switch (status.st_mode & S_IFMT) {
    case S_IFREG:
      return;
    case S_IFDIR:
      kind = "a folder";
      break;
    case S_IFIFO:
      kind = "a FIFO";
      break;
    case S_IFSOCK:
      kind = "a socket";
      break;
    case S_IFCHR:
    case S_IFBLK:
      kind = "a device";
      break;
    default:
      kind = "something special";
      break;
  }
  fail(ErrorCode::Io, fmt::format("'{}' is {}, not a file", printable(path, 4096), kind));
}

}  // namespace

InputFile InputFile::open(const std::string& path) {
  if (path.find('\0') != std::string::npos) {
    fail(ErrorCode::Io, fmt::format("cannot open '{}': NUL in the path", printable(path, 4096)));
  }
  // Looked at before it is opened, since opening a device can set it in motion; and once more
  // afterwards, in case that it changed in between.
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) fail_to_open(path, errno);
  check_is_regular(path, status);
  InputFile file;
  file.name_ = path;
  do {
    file.descriptor_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  } while (file.descriptor_ < 0 && errno == EINTR);
  if (file.descriptor_ < 0) fail_to_open(path, errno);
  if (::fstat(file.descriptor_, &status) != 0) fail_to_open(path, errno);
  check_is_regular(path, status);
  file.size_bytes_ = static_cast<std::uint64_t>(status.st_size);
  file.device_id_ = static_cast<std::uint64_t>(status.st_dev);
  file.inode_ = static_cast<std::uint64_t>(status.st_ino);
  // A hint only: large members are read front to back.
  static_cast<void>(::posix_fadvise(file.descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL));
  return file;
}

InputFile InputFile::from_bytes(std::string name, std::vector<std::byte> bytes) {
  InputFile file;
  file.name_ = std::move(name);
  file.size_bytes_ = bytes.size();
  file.memory_ = std::move(bytes);
  return file;
}

InputFile::InputFile(InputFile&& other) noexcept { *this = std::move(other); }

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  if (this == &other) return *this;
  if (descriptor_ >= 0) ::close(descriptor_);
  name_ = std::move(other.name_);
  descriptor_ = std::exchange(other.descriptor_, -1);
  memory_ = std::move(other.memory_);
  size_bytes_ = std::exchange(other.size_bytes_, 0);
  device_id_ = std::exchange(other.device_id_, 0);
  inode_ = std::exchange(other.inode_, 0);
  return *this;
}

InputFile::~InputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint64_t InputFile::append(Bytes bytes) {
  const std::uint64_t offset = end_bytes();
  memory_.insert(memory_.end(), bytes.begin(), bytes.end());
  return offset;
}

std::uint64_t InputFile::end_bytes() const {
  return descriptor_ >= 0 ? size_bytes_ + memory_.size() : memory_.size();
}

void InputFile::read_at(std::uint64_t offset_bytes, std::span<std::byte> out) const {
  if (offset_bytes > end_bytes() || out.size() > end_bytes() - offset_bytes) {
    fail(ErrorCode::Malformed,
         fmt::format("{} bytes at byte {} are past the end of the file, which has {} bytes",
                     out.size(),
                     offset_bytes,
                     size_bytes_));
  }
  if (descriptor_ >= 0 && offset_bytes < size_bytes_) {
    const std::size_t from_disk =
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), size_bytes_ - offset_bytes));
    read_disk(offset_bytes, out.first(from_disk));
    offset_bytes += from_disk;
    out = out.subspan(from_disk);
  }
  if (out.empty()) return;
  const std::uint64_t memory_begin = descriptor_ >= 0 ? size_bytes_ : 0;
  std::memcpy(out.data(), memory_.data() + (offset_bytes - memory_begin), out.size());
}

void InputFile::read_disk(std::uint64_t offset_bytes, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got =
        ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset_bytes));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      fail(ErrorCode::Io,
           fmt::format("cannot read '{}' at byte {}: {}",
                       printable(name_, 4096),
                       offset_bytes,
                       system_text(errno)));
    }
    if (got == 0) {
      fail(ErrorCode::Io,
           fmt::format("'{}' became shorter while it was read: it had {} bytes, now it ends at {}",
                       printable(name_, 4096),
                       size_bytes_,
                       offset_bytes));
    }
    offset_bytes += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

std::vector<std::byte> InputFile::read_range(std::uint64_t offset_bytes,
                                             std::uint64_t size_bytes,
                                             std::uint64_t max_bytes,
                                             std::string_view what) const {
  if (offset_bytes > end_bytes() || size_bytes > end_bytes() - offset_bytes) {
    fail(ErrorCode::Malformed,
         fmt::format("{}: {} bytes at byte {} are past the end of the file, which has {} bytes",
                     what,
                     size_bytes,
                     offset_bytes,
                     size_bytes_));
  }
  if (size_bytes > max_bytes) {
    fail(ErrorCode::Limit,
         fmt::format("{} at byte {} has {} bytes, at most {} are read",
                     what,
                     offset_bytes,
                     size_bytes,
                     max_bytes));
  }
  std::vector<std::byte> out;
  // With this room behind it a JSON parser's padding does not cost another copy of the text.
  constexpr std::size_t kRoomForPadding = 64;
  out.reserve(static_cast<std::size_t>(size_bytes) + kRoomForPadding);
  out.resize(static_cast<std::size_t>(size_bytes));
  read_at(offset_bytes, out);
  return out;
}

}  // namespace ptec
