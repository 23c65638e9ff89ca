// Writes zip files front to back in the layout that torch uses, of any size and in a few MiB of
// memory.
//
// Written for tests, from the format's description and not from the reader: sizes and sums stand in
// the descriptor behind each member and in the directory, data begins at multiples of 64, zip64
// fields appear where a 32-bit one would overflow, and the zip64 end records always do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ptec::test {

/// Where bytes go. `skip` stands for bytes whose content does not matter (a dry run that only
/// counts).
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::span<const std::byte> bytes) = 0;
  void write(std::string_view text) { write(std::as_bytes(std::span(text.data(), text.size()))); }
};

/// Only counts.
class CountingSink final : public ByteSink {
 public:
  using ByteSink::write;
  void write(std::span<const std::byte> bytes) override { size_bytes_ += bytes.size(); }
  void skip(std::uint64_t size_bytes) { size_bytes_ += size_bytes; }
  std::uint64_t size_bytes() const { return size_bytes_; }

 private:
  std::uint64_t size_bytes_ = 0;
};

/// A file that is made new. Throws std::runtime_error when the system refuses.
class FileSink final : public ByteSink {
 public:
  explicit FileSink(const std::string& path);
  ~FileSink() override;
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  using ByteSink::write;
  void write(std::span<const std::byte> bytes) override;
  void close();

 private:
  void flush();

  int descriptor_ = -1;
  std::vector<std::byte> buffer_;
};

/// Appends to a string.
class StringSink final : public ByteSink {
 public:
  using ByteSink::write;
  void write(std::span<const std::byte> bytes) override;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class ZipWriter final : public ByteSink {
 public:
  explicit ZipWriter(ByteSink& out) : out_(out) {}

  /// Starts a member of exactly `size_bytes`; its data is what is written until `end_member`.
  void begin_member(std::string name, std::uint64_t size_bytes);
  using ByteSink::write;
  void write(std::span<const std::byte> bytes) override;
  /// Stands for data that a dry run leaves out; only with a CountingSink below.
  void skip(CountingSink& below, std::uint64_t size_bytes);
  void end_member();
  void add_member(std::string name, std::string_view data);
  /// Writes the directory and the end records.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint64_t size_bytes = 0;
    std::uint64_t header_offset_bytes = 0;
    std::uint32_t crc32 = 0;

    bool large() const { return size_bytes >= 0xFFFFFFFFu; }
    bool far() const { return header_offset_bytes >= 0xFFFFFFFFu; }
  };

  void emit(std::string_view text);
  void write_directory_entry(const Member& member);

  ByteSink& out_;
  std::uint64_t offset_bytes_ = 0;
  std::uint64_t written_bytes_ = 0;  // of the open member
  std::vector<Member> members_;
};

}  // namespace ptec::test
