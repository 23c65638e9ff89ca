// Bulk data that a program refers to: a byte range of an archive, a few bytes made during
// lowering, or memory that somebody lends.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/byte_source.h"
#include "support/bytes.h"

namespace ptec {

/// One member of an archive as it lies in the file.
struct FileRecord {
  std::string name;  // with the root folder
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
  std::uint32_t crc32 = 0;
};

enum class PayloadEncoding { Raw, Base64 };

/// Where some bytes are, how they are written there, and what their checksum is. Copying a Payload
/// copies no data. It keeps its source: it can be read after the archive that it came from is gone.
class Payload {
 public:
  Payload() = default;
  static Payload of_bytes(std::vector<std::byte> bytes);
  /// Borrowed memory, as ByteSource::of_foreign describes it.
  static Payload of_foreign(Bytes bytes, std::function<void()> release);
  /// Stands in for bytes of which only the number is known: nothing can be read from it.
  static Payload of_size(std::uint64_t size_bytes) {
    Payload out;
    out.size_bytes_ = size_bytes;
    return out;
  }
  /// Bytes that a text holds, decoded into memory. Throws Malformed as a reader does.
  static Payload of_base64_text(std::string_view text);
  /// A range within a record of a source. Throws Malformed when it is not.
  static Payload of_range(ByteSource::Handle source,
                          const FileRecord& record,
                          std::uint64_t offset_bytes,
                          std::uint64_t encoded_size_bytes,
                          PayloadEncoding encoding);

  /// A stretch of this payload, whose bytes must not be encoded. Throws Malformed, naming `what`,
  /// when it is longer.
  Payload part(std::uint64_t offset_bytes, std::uint64_t size_bytes, std::string_view what) const;

  /// Size after decoding. For base64 the last four characters are read when the payload is made;
  /// throws Malformed when the length is no multiple of four or the padding is wrong.
  std::uint64_t size_bytes() const { return size_bytes_; }

  const ByteSource::Handle& source() const { return source_; }  // null: nothing can be read
  /// The stretch of the source, around the payload, whose CRC-32 is known; null for memory.
  const FileRecord* record() const { return record_.get(); }
  std::uint64_t offset_bytes() const { return offset_bytes_; }  // in the source
  std::uint64_t encoded_size_bytes() const { return encoded_size_bytes_; }
  PayloadEncoding encoding() const { return encoding_; }
  /// The bytes of a payload that lies in memory and has no checksum; else empty.
  Bytes memory() const;

 private:
  ByteSource::Handle source_;
  std::shared_ptr<const FileRecord> record_;  // copies of a payload share its description
  std::uint64_t offset_bytes_ = 0;
  std::uint64_t encoded_size_bytes_ = 0;
  std::uint64_t size_bytes_ = 0;
  PayloadEncoding encoding_ = PayloadEncoding::Raw;
};

}  // namespace ptec
