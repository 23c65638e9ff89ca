#include "support/byte_reader.h"

#include <fmt/format.h>

namespace ptec {

Bytes ByteReader::take(std::uint64_t size_bytes, std::string_view field) {
  if (size_bytes > remaining()) {
    fail(ErrorCode::Malformed,
         fmt::format("{} at byte {} needs {} bytes, {} are left",
                     field,
                     offset_bytes(),
                     size_bytes,
                     remaining()));
  }
  const Bytes out = bytes_.subspan(position_, static_cast<std::size_t>(size_bytes));
  position_ += out.size();
  return out;
}

std::size_t ByteReader::count(std::uint64_t declared,
                              std::uint64_t min_bytes_each,
                              std::string_view field) {
  PTEC_INVARIANT(min_bytes_each != 0, "items of no size cannot be counted");
  if (declared > remaining() / min_bytes_each) {
    fail(ErrorCode::Malformed,
         fmt::format("{} at byte {} claims {} items of at least {} bytes, {} bytes are left",
                     field,
                     offset_bytes(),
                     declared,
                     min_bytes_each,
                     remaining()));
  }
  return static_cast<std::size_t>(declared);
}

}  // namespace ptec
