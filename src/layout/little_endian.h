// Little-endian integers with alignment 1: members of wire structs, whose declaration is the
// format. C++17.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ptec {

template <typename Integer>
class LittleEndian {
 public:
  constexpr LittleEndian() = default;
  constexpr LittleEndian(
      Integer value) {  // NOLINT(google-explicit-constructor): it is that integer
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
      bytes_[i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
  }
  constexpr operator Integer() const {  // NOLINT(google-explicit-constructor): it is that integer
    Integer value = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
      value = static_cast<Integer>(value | static_cast<Integer>(Integer{bytes_[i]} << (8 * i)));
    }
    return value;
  }

 private:
  std::array<std::uint8_t, sizeof(Integer)> bytes_{};
};

using le16 = LittleEndian<std::uint16_t>;
using le32 = LittleEndian<std::uint32_t>;
using le64 = LittleEndian<std::uint64_t>;

static_assert(sizeof(le64) == 8 && alignof(le64) == 1);

}  // namespace ptec
