#include "sym/interval.h"

#include <algorithm>
#include <array>
#include <limits>

namespace ptec {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

End infinity(int sign) { return sign < 0 ? kMinusInfinity : kPlusInfinity; }
int sign(const End& a) {
  return a.infinite != 0 ? a.infinite : (a.number > 0 ? 1 : (a.number < 0 ? -1 : 0));
}

End plus(const End& a, const End& b) {
  if (a.infinite != 0) return a;
  if (b.infinite != 0) return b;
  std::int64_t out = 0;
  if (__builtin_add_overflow(a.number, b.number, &out))
    return {a.number < 0 ? kLowest : kHighest, 0};
  return {out, 0};
}

End times(const End& a, const End& b) {
  const int result_sign = sign(a) * sign(b);
  if (result_sign == 0) return {};
  if (a.infinite != 0 || b.infinite != 0) return infinity(result_sign);
  std::int64_t out = 0;
  if (__builtin_mul_overflow(a.number, b.number, &out)) {
    return {result_sign < 0 ? kLowest : kHighest, 0};
  }
  return {out, 0};
}

End minus(const End& a) { return times(a, {-1, 0}); }

// `b` is not 0. Infinity over infinity is taken for infinite, which is on the safe side at the
// outer end.
End quotient(const End& a, const End& b) {
  if (a.infinite != 0) return infinity(sign(a) * sign(b));
  if (b.infinite != 0) return {sign(a) * sign(b) < 0 ? -1 : 0, 0};
  if (a.number == kLowest && b.number == -1) return {kHighest, 0};
  const std::int64_t rest = a.number % b.number;
  const bool round_down = rest != 0 && (rest < 0) != (b.number < 0);
  return {a.number / b.number - (round_down ? 1 : 0), 0};
}

End raised(const End& base, std::int64_t exponent) {
  End out{1, 0};
  End square = base;
  for (std::int64_t left = exponent; left > 0; left >>= 1) {
    if (left & 1) out = times(out, square);
    if (left > 1) square = times(square, square);
  }
  return out;
}

End raised(const End& base, const End& exponent) {
  if (exponent.infinite == 0) return raised(base, exponent.number);
  return base == End{1, 0} || base == End{0, 0} ? End{1, 0} : kPlusInfinity;
}

template <typename Operation>
Interval corners(const Interval& a, const Interval& b, Operation operation) {
  const std::array<End, 4> ends = {operation(a.low, b.low),
                                   operation(a.low, b.high),
                                   operation(a.high, b.low),
                                   operation(a.high, b.high)};
  Interval out{ends[0], ends[0]};
  for (const End& end : ends) out = join(out, {end, end});
  return out;
}

Interval constant_power(const Interval& base, std::int64_t exponent) {
  if (exponent == 0) return Interval::of(1);
  // An even power turns at 0; an odd one grows everywhere.
  const Interval grows = exponent % 2 == 0 ? abs_of(base) : base;
  return {raised(grows.low, exponent), raised(grows.high, exponent)};
}

}  // namespace

bool operator<(const End& a, const End& b) {
  if (a.infinite != b.infinite) return a.infinite < b.infinite;
  return a.infinite == 0 && a.number < b.number;
}

bool Interval::contains_zero() const { return sign(low) <= 0 && sign(high) >= 0; }

Interval join(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval min_of(const Interval& a, const Interval& b) {
  return {std::min(a.low, b.low), std::min(a.high, b.high)};
}

Interval max_of(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::max(a.high, b.high)};
}

Interval negate(const Interval& a) { return {minus(a.high), minus(a.low)}; }

Interval add(const Interval& a, const Interval& b) {
  return {plus(a.low, b.low), plus(a.high, b.high)};
}

Interval multiply(const Interval& a, const Interval& b) { return corners(a, b, times); }

Interval abs_of(const Interval& a) {
  if (sign(a.low) >= 0) return a;
  if (sign(a.high) <= 0) return negate(a);
  return {End{}, std::max(minus(a.low), a.high)};
}

Interval floor_div(const Interval& a, const Interval& b) {
  if (b.contains_zero()) return {};
  Interval out = corners(a, b, quotient);
  if (b.low.infinite != 0 || b.high.infinite != 0) {
    // A divisor without end brings every quotient as close to 0 as it likes, from its own side.
    const Interval same_side = sign(b.low) > 0 ? a : negate(a);
    if (sign(same_side.high) >= 0) out = join(out, Interval::of(0));
    if (sign(same_side.low) < 0) out = join(out, Interval::of(-1));
  }
  return out;
}

Interval ceil_div(const Interval& a, const Interval& b) { return negate(floor_div(negate(a), b)); }

Interval floor_mod(const Interval& a, const Interval& b) {
  if (b.contains_zero()) return {};
  if (b.single() && a.low.infinite == 0 && a.high.infinite == 0) {
    const Interval blocks = floor_div(a, b);
    if (blocks.single()) return add(a, negate(multiply(blocks, b)));
  }
  if (sign(b.low) > 0) return {End{}, plus(b.high, {-1, 0})};
  return {plus(b.low, {1, 0}), End{}};
}

Interval power(const Interval& base, const Interval& exponent) {
  if (sign(exponent.low) < 0) return {};
  if (exponent.single()) return constant_power(base, exponent.low.number);
  if (End{1, 0} < base.low || base.low == End{1, 0}) {
    return {raised(base.low, exponent.low), raised(base.high, exponent.high)};
  }
  const Interval magnitude = abs_of(base);
  const End high = std::max(raised(magnitude.high, exponent.high), End{1, 0});
  return {sign(base.low) < 0 ? minus(high) : End{}, high};
}

Interval shift_left(const Interval& a, const Interval& count) {
  return multiply(a, power(Interval::of(2), count));
}

Interval shift_right(const Interval& a, const Interval& count) {
  const Interval divisor = power(Interval::of(2), count);
  return divisor.low.infinite != 0 ? Interval{} : floor_div(a, divisor);
}

}  // namespace ptec
