// A folder of one test's own, gone when the test ends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ptec::test {

class ScratchFolder {
 public:
  /// Made under `parent`, or under the system's folder for temporary files. Throws
  /// std::runtime_error.
  explicit ScratchFolder(const std::filesystem::path& parent = {});
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string file(std::string_view name) const { return (path_ / name).string(); }
  /// Names of everything in it, sorted; dot files too.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

/// Whole files as text. Both throw std::runtime_error, with the path, when the system refuses.
std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view content);

/// Bytes that an unprivileged process may still write where `path` is.
std::uint64_t free_disk_bytes(const std::filesystem::path& path);

}  // namespace ptec::test
