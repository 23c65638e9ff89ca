// Reads payloads, and checks what it reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "support/payload.h"

namespace ptec {

/// Checksums of the records of which only parts are read: one a block. A record is read and checked
/// once, whatever the number of its parts; from then on each read of a part checks the blocks that
/// it touches.
class RecordSums {
 public:
  static constexpr std::uint64_t kBlockBytes = std::uint64_t{16} << 10;

  /// CRC-32 of each block of the payload's record. Throws Malformed unless the record's own is
  /// right.
  const std::vector<std::uint32_t>& blocks_of(const Payload& part);

 private:
  // Looked up only. The handle keeps its address from being another source's.
  std::map<std::pair<ByteSource::Handle, std::uint64_t>, std::vector<std::uint32_t>> blocks_;
};

/// Reads a payload front to back through one fixed buffer of `kPayloadChunkBytes`.
class PayloadReader {
 public:
  /// Reads without a look at checksums: to compare, or to peek.
  explicit PayloadReader(const Payload& payload);
  /// Reads and checks in one pass. What surrounds an encoded payload in its record is read too,
  /// since only the record has a checksum; of a record that a raw payload is a part of, `sums`
  /// knows more. For whatever is kept or written.
  PayloadReader(const Payload& payload, RecordSums& sums);
  ~PayloadReader();
  PayloadReader(const PayloadReader&) = delete;
  PayloadReader& operator=(const PayloadReader&) = delete;

  /// The next decoded bytes, valid until the next call; empty at the end. Throws Malformed with the
  /// member's name and the byte's offset for characters outside the base64 alphabet, and for a
  /// checksum that is wrong (at the end of the payload, so none of its bytes counts before); Io
  /// when a part changed since its record was checked.
  Bytes next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Small enough that read, checksum and decoding find the bytes in the cache: a quarter faster than
/// 1 MiB.
inline constexpr std::size_t kPayloadChunkBytes = std::size_t{256} << 10;

/// Whether two payloads have the same decoded bytes. Reads both, side by side, up to the first
/// difference. Checks nothing.
bool same_bytes(const Payload& a, const Payload& b);

/// All of a payload in memory, checked. Throws Limit over `max_bytes`, and what the reader throws.
std::vector<std::byte> read_payload(const Payload& payload,
                                    std::uint64_t max_bytes,
                                    RecordSums& sums);
/// The same without a look at checksums.
std::vector<std::byte> read_payload(const Payload& payload, std::uint64_t max_bytes);

}  // namespace ptec
