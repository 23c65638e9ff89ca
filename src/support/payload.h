// Bulk data that a program refers to: a byte range of an archive, or a few bytes made during
// lowering.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/bytes.h"
#include "support/input_file.h"

namespace ptec {

/// One member of an archive as it lies in the file.
struct FileRecord {
  std::string name;  // with the root folder
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
  std::uint32_t crc32 = 0;
};

enum class PayloadEncoding { Raw, Base64 };

/// Where some bytes are, and how they are written there. Copying a Payload copies no data. A range
/// borrows the InputFile and the FileRecord of the archive that it came from; both must outlive it.
class Payload {
 public:
  Payload() = default;
  static Payload of_bytes(std::vector<std::byte> bytes);
  /// Stands in for bytes of which only the number is known: nothing can be read from it.
  static Payload of_size(std::uint64_t size_bytes) {
    Payload out;
    out.size_bytes_ = size_bytes;
    return out;
  }
  /// Bytes that a text holds, decoded into memory. Throws Malformed as the reader below does.
  static Payload of_base64_text(std::string_view text);
  static Payload of_range(const InputFile& file,
                          const FileRecord& record,
                          std::uint64_t offset_bytes,
                          std::uint64_t encoded_size_bytes,
                          PayloadEncoding encoding);

  /// Size after decoding. For base64 the last four characters are read when the payload is made;
  /// throws Malformed when the length is no multiple of four or the padding is wrong.
  std::uint64_t size_bytes() const { return size_bytes_; }

  bool is_range() const { return file_ != nullptr; }
  const InputFile* file() const { return file_; }
  const FileRecord* record() const { return record_; }
  std::uint64_t offset_bytes() const { return offset_bytes_; }
  std::uint64_t encoded_size_bytes() const { return encoded_size_bytes_; }
  PayloadEncoding encoding() const { return encoding_; }
  /// The bytes of a payload that is no range.
  Bytes memory() const;

 private:
  std::shared_ptr<const std::vector<std::byte>>
      memory_;  // shared: copies of a program share payloads
  const InputFile* file_ = nullptr;
  const FileRecord* record_ = nullptr;
  std::uint64_t offset_bytes_ = 0;
  std::uint64_t encoded_size_bytes_ = 0;
  std::uint64_t size_bytes_ = 0;
  PayloadEncoding encoding_ = PayloadEncoding::Raw;
};

/// Reads a payload front to back through one fixed buffer of `kPayloadChunkBytes`.
class PayloadReader {
 public:
  /// How much of the archive record around the payload is read. `WholeRecord` also reads the bytes
  /// before and after it and compares the record's CRC-32 at the end: still one pass.
  enum class Check { None, WholeRecord };

  PayloadReader(const Payload& payload, Check check);
  ~PayloadReader();
  PayloadReader(const PayloadReader&) = delete;
  PayloadReader& operator=(const PayloadReader&) = delete;

  /// The next decoded bytes, valid until the next call; empty at the end. Throws Malformed with the
  /// member's name and the byte's offset for characters outside the base64 alphabet, and for a CRC
  /// mismatch (at the end).
  Bytes next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Small enough that read, checksum and decoding find the bytes in the cache: a quarter faster than
/// 1 MiB.
inline constexpr std::size_t kPayloadChunkBytes = std::size_t{256} << 10;

/// Throws Malformed unless the record's bytes have its CRC-32. Reads the whole record once.
void verify_record_crc(const InputFile& file, const FileRecord& record);

/// Whether two payloads have the same decoded bytes. Reads both, side by side, up to the first
/// difference.
bool same_bytes(const Payload& a, const Payload& b);

/// All of a payload in memory. Throws Limit over `max_bytes`. No CRC check.
std::vector<std::byte> read_payload(const Payload& payload, std::uint64_t max_bytes);

}  // namespace ptec
