#include "support/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "support/error.h"

namespace ptec {
namespace {

// The kernel is asked to write finished stretches of this size out while the next is made, so that
// the flush at the end has little left to do.
constexpr std::uint64_t kWritebackBytes = std::uint64_t{8} << 20;

[[noreturn]] void fail_io(const std::string& path, std::string_view doing) {
  const int error = errno;
  fail(ErrorCode::Io, fmt::format("cannot {} '{}': {}", doing, path, std::strerror(error)));
}

std::string resolve_links(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return path;
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (resolved == nullptr) {
    if (errno == ENOENT)
      fail(ErrorCode::Io, fmt::format("'{}' is a symbolic link to nothing", path));
    fail_io(path, "resolve");
  }
  std::string out = resolved;
  std::free(resolved);  // NOLINT: realpath allocates with malloc
  return out;
}

std::string_view describe(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

/// A name beside the output that nothing else takes: process id and a counter, tried until one is
/// free.
std::string temporary_name(const std::string& folder, const std::string& path) {
  static std::atomic<unsigned> counter{0};
  const std::string base = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  return fmt::format(
      "{}/.{}.{}-{}.tmp", folder, base.substr(0, 200), ::getpid(), counter.fetch_add(1));
}

void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    return;  // a folder that may be written but not read: the rename stands all the same
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(resolve_links(path)) {
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) {
      fail(ErrorCode::Io, fmt::format("'{}' is {}, not a file", path, describe(status.st_mode)));
    }
    mode_ = status.st_mode & 0777;
  }
  const std::size_t slash = path_.rfind('/');
  folder_ = slash == std::string::npos ? "." : slash == 0 ? "/" : path_.substr(0, slash);
  if (path_.empty() || slash + 1 == path_.size())
    fail(ErrorCode::Io, fmt::format("'{}' names no file", path));
  open_temporary();
}

void OutputFile::open_temporary() {
  descriptor_ = ::open(folder_.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode_.value_or(0666));
  if (descriptor_ >= 0) return;
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL && errno != ENOENT)
    fail_io(path_, "write");
  do {
    temporary_ = temporary_name(folder_, path_);
    descriptor_ =
        ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode_.value_or(0666));
  } while (descriptor_ < 0 && errno == EEXIST);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail_io(path_, "write");
  }
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail_io(path_, "write");
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
    size_bytes_ += static_cast<std::uint64_t>(written);
  }
  start_writeback();
  if (progress_ && !progress_(size_bytes_)) fail(ProblemId::Interrupted, "interrupted");
}

void OutputFile::start_writeback() {
#ifdef SYNC_FILE_RANGE_WRITE
  if (size_bytes_ - written_back_bytes_ < kWritebackBytes) return;
  // Only a hint: an error here shows again in fsync.
  ::sync_file_range(descriptor_,
                    static_cast<off64_t>(written_back_bytes_),
                    static_cast<off64_t>(size_bytes_ - written_back_bytes_),
                    SYNC_FILE_RANGE_WRITE);
  written_back_bytes_ = size_bytes_;
#endif
}

void OutputFile::write_zeros(std::uint64_t size_bytes) {
  constexpr std::array<std::byte, 4096> kZeros{};
  while (size_bytes > 0) {
    const std::uint64_t step = std::min<std::uint64_t>(size_bytes, kZeros.size());
    write(Bytes(kZeros).first(static_cast<std::size_t>(step)));
    size_bytes -= step;
  }
}

void OutputFile::commit() {
  if (mode_ && ::fchmod(descriptor_, *mode_) != 0) fail_io(path_, "set the permissions of");
  if (::fsync(descriptor_) != 0) fail_io(path_, "flush");
  if (temporary_.empty()) {
    const std::string self = fmt::format("/proc/self/fd/{}", descriptor_);
    do {
      temporary_ = temporary_name(folder_, path_);
    } while (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) !=
                 0 &&
             errno == EEXIST);
    struct stat status {};
    if (::stat(temporary_.c_str(), &status) != 0) {
      temporary_.clear();
      fail_io(path_, "name");
    }
  }
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) fail_io(path_, "close");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail_io(path_, "replace");
  temporary_.clear();
  sync_folder(folder_);
}

}  // namespace ptec
