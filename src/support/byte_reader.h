// Reads fixed layouts front to back; every read says which field it is for.
#pragma once

#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "support/bytes.h"
#include "support/error.h"

namespace ptec {

class ByteReader {
 public:
  /// `base_offset_bytes` is where `bytes` begins in its file; it only appears in messages.
  explicit ByteReader(Bytes bytes, std::uint64_t base_offset_bytes = 0)
      : bytes_(bytes), base_offset_bytes_(base_offset_bytes) {}

  std::uint64_t offset_bytes() const { return base_offset_bytes_ + position_; }
  std::size_t remaining() const { return bytes_.size() - position_; }

  /// The next `size_bytes` bytes. Throws Malformed with the offset and `field` when they are not
  /// there.
  Bytes take(std::uint64_t size_bytes, std::string_view field);
  void skip(std::uint64_t size_bytes, std::string_view field) { take(size_bytes, field); }

  /// A wire struct of little-endian members (`layout/`), copied out.
  template <typename Record>
  Record record(std::string_view field) {
    static_assert(std::is_trivially_copyable_v<Record> && alignof(Record) == 1);
    Record out;
    const Bytes bytes = take(sizeof(Record), field);
    std::memcpy(&out, bytes.data(), sizeof(Record));
    return out;
  }

  /// An unsigned little-endian integer.
  template <typename Integer>
  Integer le(std::string_view field) {
    static_assert(std::is_unsigned_v<Integer>);
    Integer out = 0;
    const Bytes bytes = take(sizeof(Integer), field);
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
      out = static_cast<Integer>(out |
                                 static_cast<Integer>(static_cast<Integer>(bytes[i]) << (8 * i)));
    }
    return out;
  }

  /// Proves that `declared` items of at least `min_bytes_each` can still follow, and returns
  /// `declared`.
  std::size_t count(std::uint64_t declared, std::uint64_t min_bytes_each, std::string_view field);

 private:
  Bytes bytes_;
  std::size_t position_ = 0;
  std::uint64_t base_offset_bytes_;
};

}  // namespace ptec
