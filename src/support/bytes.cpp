#include "support/bytes.h"

#include <fmt/format.h>

#include <limits>

#include "support/error.h"

namespace ptec {

std::string_view as_text(Bytes bytes) {
  // Any bytes may be looked at as chars.
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Bytes as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
  if (b > std::numeric_limits<std::uint64_t>::max() - a) return std::nullopt;
  return a + b;
}

std::optional<std::uint64_t> checked_mul(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) return std::nullopt;
  return a * b;
}

Bytes slice(Bytes bytes, std::uint64_t offset, std::uint64_t size, std::string_view what) {
  if (offset > bytes.size() || size > bytes.size() - offset) {
    fail(ErrorCode::Malformed,
         fmt::format("{}: {} bytes at offset {} do not lie within {} bytes",
                     what,
                     size,
                     offset,
                     bytes.size()));
  }
  return bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

}  // namespace ptec
