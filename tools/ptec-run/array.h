// An array on its way into or out of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pte/pte_dtype.h"

namespace ptec::run {

/// Contiguous, last dimension innermost, little-endian.
struct Array {
  const inspect::PteDtype* dtype = nullptr;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;
};

/// The element type with this name, as torch spells it. Null when there is none.
const inspect::PteDtype* find_dtype_by_name(std::string_view name);

/// The types that `filled_array` makes ones of.
std::vector<std::string_view> fillable_dtype_names();

/// Elements in a shape. Throws Malformed for a negative size, Limit when the product passes
/// `kMaxArrayBytes`.
std::uint64_t element_count(const std::vector<std::int64_t>& shape);
inline constexpr std::uint64_t kMaxArrayBytes = std::uint64_t{1}
                                                << 40;  // more than any machine that runs this

/// "float32[2, 3]".
std::string array_type_text(const inspect::PteDtype& dtype, const std::vector<std::int64_t>& shape);

/// An array full of one number, 0 or 1. Throws Unsupported for types without numbers (quantized,
/// bits).
Array filled_array(const inspect::PteDtype& dtype, std::vector<std::int64_t> shape, int number);

/// One element as a number: exact for integers up to 64 bits and for floats. `index` is below the
/// count.
struct Number {
  enum class Kind { Bool, Signed, Unsigned, Real, Complex, Opaque } kind = Kind::Opaque;
  std::int64_t integer = 0;
  std::uint64_t whole = 0;  // Unsigned, Opaque (the bits)
  double real = 0;          // Real, Complex
  double imaginary = 0;
  bool single = false;  // no more precision than a float: prints shorter
};
Number element_at(const Array& array, std::size_t index);

}  // namespace ptec::run
