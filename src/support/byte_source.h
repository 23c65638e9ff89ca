// Where bytes are: in a file, in memory of ours, or in memory that somebody lends us.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "support/bytes.h"
#include "support/input_file.h"

namespace ptec {

/// Bytes that are read by position. Everything that reads from a source shares one handle to it:
/// the last to go closes the file, frees the memory or gives it back. The one place in the project
/// where ownership is shared, since payloads outlive the archive that they came from and are copied
/// with the program.
class ByteSource {
 public:
  using Handle = std::shared_ptr<const ByteSource>;

  static Handle of_file(InputFile file);
  static Handle of_bytes(std::vector<std::byte> bytes);
  /// Memory that stays where it is and as it is until `release` is called, once, when the last
  /// handle goes and on the thread that lets it go. `release` may be empty; it must not throw.
  static Handle of_foreign(Bytes bytes, std::function<void()> release);

  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Null unless the source is a file.
  const InputFile* file() const { return std::get_if<InputFile>(&storage_); }
  /// All of it; empty for a file.
  Bytes memory() const;
  /// Fills `out` from `offset_bytes`. Throws Malformed past the end, and what the file throws.
  void read_at(std::uint64_t offset_bytes, std::span<std::byte> out) const;

 private:
  struct Foreign {
    Bytes bytes;
    std::function<void()> release;
  };
  using Storage = std::variant<InputFile, std::vector<std::byte>, Foreign>;

  explicit ByteSource(Storage storage) : storage_(std::move(storage)) {}

  Storage storage_;
};

}  // namespace ptec
