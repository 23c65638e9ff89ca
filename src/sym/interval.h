// Interval arithmetic for the bounds of symbolic sizes: the operations, without expressions.
//
// An end is an integer, or infinite. Sums, products and powers that leave 64 bits stick to the end
// of 64 bits: a size that large cannot exist, so nothing that can happen is left out. Terms that
// share a symbol are treated as if they varied on their own, as torch does: `s0 - s0` with s0 in
// [1, 4] is [-3, 3].
#pragma once

#include <cstdint>

namespace ptec {

struct End {
  std::int64_t number = 0;
  int infinite = 0;  // -1 or 1: minus or plus infinity
  friend bool operator==(const End&, const End&) = default;
};
inline constexpr End kMinusInfinity{0, -1};
inline constexpr End kPlusInfinity{0, 1};

bool operator<(const End& a, const End& b);

/// Closed. Starts as everything.
struct Interval {
  End low = kMinusInfinity;
  End high = kPlusInfinity;

  static Interval of(std::int64_t number) { return {{number, 0}, {number, 0}}; }
  static Interval of(std::int64_t low, std::int64_t high) { return {{low, 0}, {high, 0}}; }
  bool single() const { return low == high && low.infinite == 0; }
  bool contains_zero() const;
  friend bool operator==(const Interval&, const Interval&) = default;
};

Interval join(const Interval& a, const Interval& b);
Interval min_of(const Interval& a, const Interval& b);
Interval max_of(const Interval& a, const Interval& b);
Interval negate(const Interval& a);
Interval add(const Interval& a, const Interval& b);
Interval multiply(const Interval& a, const Interval& b);
Interval abs_of(const Interval& a);
/// Everything when the divisor may be 0.
Interval floor_div(const Interval& a, const Interval& b);
Interval ceil_div(const Interval& a, const Interval& b);
/// The rest has the sign of the divisor, as in Python. Everything when the divisor may be 0.
Interval floor_mod(const Interval& a, const Interval& b);
/// Exponents below 0 give everything.
Interval power(const Interval& base, const Interval& exponent);
Interval shift_left(const Interval& a, const Interval& count);
Interval shift_right(const Interval& a, const Interval& count);

}  // namespace ptec
