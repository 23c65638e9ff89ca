// A file that appears whole or not at all.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "support/bytes.h"

namespace ptec {

class OutputFile {
 public:
  /// Starts a file that will stand at `path`. Until `commit` nothing is to be seen under that name:
  /// the bytes go to a nameless file in the same folder, or to `.NAME.XXXXXX.tmp` where the file
  /// system has no nameless ones. A symbolic link is followed. Throws Io when the folder refuses,
  /// and when something at `path` is no regular file.
  explicit OutputFile(const std::string& path);
  /// Without `commit`: nothing is left behind.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends. Throws Io, for example when the disk is full.
  void write(Bytes bytes);
  void write_zeros(std::uint64_t size_bytes);
  std::uint64_t size_bytes() const { return size_bytes_; }

  /// Called after every write with the size so far; return false to give up, which throws Io
  /// "interrupted".
  void on_progress(std::function<bool(std::uint64_t)> callback) { progress_ = std::move(callback); }

  /// Flushes to the disk, then puts the file in the place of what stands at `path`. It keeps that
  /// file's permission bits; a new one follows the umask.
  void commit();

 private:
  void open_temporary();
  void start_writeback();

  std::string path_;  // where it will stand, links resolved
  std::string folder_;
  std::optional<unsigned> mode_;  // permission bits of the file that stands at `path`
  std::string temporary_;         // name of the file that is written; empty while it has none
  int descriptor_ = -1;
  std::uint64_t size_bytes_ = 0;
  std::uint64_t written_back_bytes_ = 0;
  std::function<bool(std::uint64_t)> progress_;
};

}  // namespace ptec
