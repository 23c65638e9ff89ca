// Borrowed raw bytes, and arithmetic on sizes that came from a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ptec {

using Bytes = std::span<const std::byte>;

/// The same bytes seen as text, and back. Any content is fine; nothing is copied.
std::string_view as_text(Bytes bytes);
Bytes as_bytes(std::string_view text);

/// `a + b` and `a * b`, or nothing when the result passes 2^64 - 1.
std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b);
std::optional<std::uint64_t> checked_mul(std::uint64_t a, std::uint64_t b);

/// `value` rounded up to a multiple of `alignment` (not zero). The caller knows that the result
/// fits.
constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

/// Throws Malformed, naming `what`, unless [offset, offset + size) lies in `bytes`.
Bytes slice(Bytes bytes, std::uint64_t offset, std::uint64_t size, std::string_view what);

}  // namespace ptec
