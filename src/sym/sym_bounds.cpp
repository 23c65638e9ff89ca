// Bounds of symbolic sizes by interval arithmetic. Source of the rules: torch 2.14,
// torch/utils/_sympy/value_ranges.py; where an operation has no integer meaning, nothing is
// claimed.
#include <bit>
#include <cmath>
#include <optional>

#include "sym/interval.h"
#include "sym/sym_expr.h"

namespace ptec {
namespace {

/// An interval of integers, or of real numbers (`real`). A real one may have infinite ends, never
/// NaN.
struct Span {
  Interval whole;
  bool real = false;
  double low = 0;
  double high = 0;
};

constexpr double kExactDoubles = 9007199254740992.0;  // 2^53

Span unbounded_real() { return {{}, true, -HUGE_VAL, HUGE_VAL}; }

Span real_span(double low, double high) {
  if (std::isnan(low) || std::isnan(high)) return unbounded_real();
  return {{}, true, low, high};
}

double as_double(const End& end) {
  return end.infinite != 0 ? end.infinite * HUGE_VAL : static_cast<double>(end.number);
}

// Beyond 2^53 doubles skip integers, so ends there move outwards by one step.
double outwards(double value, double direction) {
  return std::fabs(value) > kExactDoubles ? std::nextafter(value, direction) : value;
}

Span to_real(const Span& a) {
  if (a.real) return a;
  return real_span(outwards(as_double(a.whole.low), -HUGE_VAL),
                   outwards(as_double(a.whole.high), HUGE_VAL));
}

End to_end(double value, int direction) {
  if (value >= 9223372036854775808.0) {
    return std::isinf(value) ? kPlusInfinity : End{INT64_MAX, 0};
  }
  if (value < -9223372036854775808.0) {
    return std::isinf(value) ? kMinusInfinity : End{INT64_MIN, 0};
  }
  const double moved = outwards(value, direction * HUGE_VAL);
  if (moved >= 9223372036854775808.0) return {INT64_MAX, 0};
  if (moved < -9223372036854775808.0) return {INT64_MIN, 0};
  return {static_cast<std::int64_t>(moved), 0};
}

/// The integers in a span, for a value that is known to be one. Sums of fractions may have lost a
/// little on the way, so that what is as good as an integer counts as one; a span without any
/// claims nothing.
Interval integers_in(const Span& a) {
  if (!a.real) return a.whole;
  constexpr double kLost = 1e-12;
  const double low = std::ceil(a.low - (std::fabs(a.low) + 1) * kLost);
  const double high = std::floor(a.high + (std::fabs(a.high) + 1) * kLost);
  if (std::isnan(low) || std::isnan(high) || low > high) return {};
  return {to_end(low, -1), to_end(high, 1)};
}

template <typename Round>
Span rounded(const Span& a, Round round) {
  if (!a.real) return a;
  return {{to_end(round(a.low), -1), to_end(round(a.high), 1)}};
}

template <typename Operation>
Span real_corners(const Span& left, const Span& right, Operation operation) {
  const Span a = to_real(left);
  const Span b = to_real(right);
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  for (const double x : {a.low, a.high}) {
    for (const double y : {b.low, b.high}) {
      const double value = operation(x, y);
      if (std::isnan(value)) return unbounded_real();
      low = std::fmin(low, value);
      high = std::fmax(high, value);
    }
  }
  return real_span(low, high);
}

Span multiply_spans(const Span& a, const Span& b) {
  if (!a.real && !b.real) return {multiply(a.whole, b.whole)};
  return real_corners(a, b, [](double x, double y) { return x == 0 || y == 0 ? 0 : x * y; });
}

Span add_spans(const Span& a, const Span& b) {
  if (!a.real && !b.real) return {add(a.whole, b.whole)};
  const Span x = to_real(a);
  const Span y = to_real(b);
  return real_span(x.low + y.low, x.high + y.high);
}

Span join_spans(const Span& a, const Span& b) {
  if (!a.real && !b.real) return {join(a.whole, b.whole)};
  const Span x = to_real(a);
  const Span y = to_real(b);
  return real_span(std::fmin(x.low, y.low), std::fmax(x.high, y.high));
}

Span extreme(ExprOp op, const Span& a, const Span& b) {
  if (!a.real && !b.real) {
    return {op == ExprOp::Max ? max_of(a.whole, b.whole) : min_of(a.whole, b.whole)};
  }
  const Span x = to_real(a);
  const Span y = to_real(b);
  if (op == ExprOp::Max) return real_span(std::fmax(x.low, y.low), std::fmax(x.high, y.high));
  return real_span(std::fmin(x.low, y.low), std::fmin(x.high, y.high));
}

Span divide(const Span& a, const Span& b) {
  const Span divisor = to_real(b);
  if (divisor.low <= 0 && divisor.high >= 0) return unbounded_real();
  return real_corners(a, divisor, [](double x, double y) { return x / y; });
}

Span power_spans(const Span& base, const Span& exponent) {
  if (!base.real && !exponent.real && !(exponent.whole.low < End{})) {
    return {power(base.whole, exponent.whole)};
  }
  const Span x = to_real(base);
  if (!exponent.real && exponent.whole.single()) {  // 1 / base^n
    const Interval n = negate(exponent.whole);
    if (!base.real) return divide({Interval::of(1)}, {power(base.whole, n)});
  }
  if (x.low < 0) return unbounded_real();
  return real_corners(x, exponent, [](double a, double b) { return std::pow(a, b); });
}

Span bits(ExprOp op, const Interval& a, const Interval& b) {
  if (a.low < End{} || b.low < End{}) return {};
  if (op == ExprOp::BitwiseAnd) return {{End{}, min_of(a, b).high}};
  const End high = max_of(a, b).high;
  if (high.infinite != 0) return {{End{}, kPlusInfinity}};
  const auto width = std::bit_width(static_cast<std::uint64_t>(high.number));
  return {Interval::of(0, static_cast<std::int64_t>((std::uint64_t{1} << width) - 1))};
}

class Bounder {
 public:
  Bounder(const ExprPool& pool, const SymbolRanges& ranges) : pool_(pool), ranges_(ranges) {}

  Span span(ExprId id) const {
    const Expr& expr = pool_.at(id);
    switch (expr.op) {
      case ExprOp::Symbol:
        return symbol(expr);
      case ExprOp::Integer:
        return {Interval::of(expr.number)};
      case ExprOp::Rational: {
        const double value =
            static_cast<double>(expr.number) / static_cast<double>(expr.denominator);
        return real_span(value, value);
      }
      case ExprOp::Float:
        return real_span(expr.real, expr.real);
      case ExprOp::BooleanTrue:
        return {Interval::of(1)};
      case ExprOp::BooleanFalse:
        return {Interval::of(0)};
      case ExprOp::Infinity:
      case ExprOp::IntInfinity:
        return {{kPlusInfinity, kPlusInfinity}};
      case ExprOp::NotANumber:
        return unbounded_real();
      case ExprOp::Mul:
        return product(expr);
      case ExprOp::Piecewise:
        return piecewise(expr);
      case ExprOp::Where:
        return join_spans(span(expr.args[1]), span(expr.args[2]));
      default:
        return operation(expr);
    }
  }

 private:
  Span symbol(const Expr& expr) const {
    Span out;
    const auto found = ranges_.find(expr.symbol);
    if (found == ranges_.end()) return out;
    if (found->second.min) out.whole.low = {*found->second.min, 0};
    if (found->second.max) out.whole.high = {*found->second.max, 0};
    return out;
  }

  // Fractions are gathered and divided by once, at the end: 49 * (1/49) must be 1.
  Span product(const Expr& expr) const {
    Span out{Interval::of(1)};
    Interval divisor = Interval::of(1);
    for (const ExprId arg : expr.args) {
      const Expr& factor = pool_.at(arg);
      if (factor.op == ExprOp::Rational) {
        out = multiply_spans(out, {Interval::of(factor.number)});
        divisor = multiply(divisor, Interval::of(factor.denominator));
      } else {
        out = multiply_spans(out, span(arg));
      }
    }
    return divisor == Interval::of(1) ? out : divide(out, {divisor});
  }

  Span piecewise(const Expr& expr) const {
    std::optional<Span> out;
    for (const ExprId arg : expr.args) {
      const Expr& pair = pool_.at(arg);
      if (pair.op != ExprOp::ExprCondPair) return unbounded_real();
      const Span value = span(pair.args[0]);
      out = out ? join_spans(*out, value) : value;
    }
    return *out;
  }

  Span operation(const Expr& expr) const {
    const Span a = span(expr.args[0]);
    switch (expr.args.size()) {
      case 1:
        return unary(expr, a);
      case 2:
        return binary(expr.op, a, span(expr.args[1]));
      default:
        break;
    }
    if (expr.op == ExprOp::ModularIndexing) {
      const Span quotient = binary(ExprOp::FloorDiv, a, span(expr.args[1]));
      return binary(ExprOp::Mod, quotient, span(expr.args[2]));
    }
    Span out = a;
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
      out = binary(expr.op, out, span(expr.args[i]));
    }
    return out;
  }

  static Span unary(const Expr& expr, const Span& a) {
    switch (expr.op) {
      case ExprOp::Add:
      case ExprOp::Max:
      case ExprOp::Min:
      case ExprOp::Identity:
        return a;
      case ExprOp::And:
      case ExprOp::Or:
      case ExprOp::Xor:
      case ExprOp::Not:
        return {Interval::of(0, 1)};
      case ExprOp::Abs:
        return abs_span(a);
      case ExprOp::ToFloat:
        return to_real(a);
      case ExprOp::TruncToFloat:
        return real_span(std::trunc(to_real(a).low), std::trunc(to_real(a).high));
      case ExprOp::TruncToInt:
        return rounded(a, [](double x) { return std::trunc(x); });
      case ExprOp::Floor:
      case ExprOp::FloorToInt:
        return rounded(a, [](double x) { return std::floor(x); });
      case ExprOp::Ceiling:
      case ExprOp::CeilToInt:
        return rounded(a, [](double x) { return std::ceil(x); });
      case ExprOp::RoundToInt:
        return rounded(a, round_half_even);
      case ExprOp::OpaqueUnary:
        if (expr.symbol == "sqrt" && to_real(a).low >= 0) {
          return real_span(std::sqrt(to_real(a).low), std::sqrt(to_real(a).high));
        }
        return unbounded_real();
      default:
        return unbounded_real();
    }
  }

  static double round_half_even(double x) {
    if (std::isinf(x)) return x;
    const double down = std::floor(x);
    if (x - down != 0.5) return x - down < 0.5 ? down : down + 1;
    return std::fmod(down, 2) == 0 ? down : down + 1;
  }

  static Span abs_span(const Span& a) {
    if (!a.real) return {abs_of(a.whole)};
    if (a.low >= 0) return a;
    if (a.high <= 0) return real_span(-a.high, -a.low);
    return real_span(0, std::fmax(-a.low, a.high));
  }

  static Span binary(ExprOp op, const Span& a, const Span& b) {
    switch (op) {
      case ExprOp::Add:
        return add_spans(a, b);
      case ExprOp::Max:
      case ExprOp::Min:
        return extreme(op, a, b);
      case ExprOp::Pow:
      case ExprOp::PowByNatural:
        return power_spans(a, b);
      case ExprOp::IntTrueDiv:
      case ExprOp::FloatTrueDiv:
        return divide(a, b);
      case ExprOp::Equality:
      case ExprOp::Unequality:
      case ExprOp::StrictLessThan:
      case ExprOp::LessThan:
      case ExprOp::StrictGreaterThan:
      case ExprOp::GreaterThan:
      case ExprOp::And:
      case ExprOp::Or:
      case ExprOp::Xor:
        return {Interval::of(0, 1)};
      default:
        return integer_binary(op, integers_in(a), integers_in(b));
    }
  }

  static Span integer_binary(ExprOp op, const Interval& a, const Interval& b) {
    switch (op) {
      case ExprOp::FloorDiv:
      case ExprOp::CleanDiv:
        return {floor_div(a, b)};
      case ExprOp::CeilDiv:
        return {ceil_div(a, b)};
      case ExprOp::Mod:
      case ExprOp::PythonMod:
        return {floor_mod(a, b)};
      case ExprOp::LShift:
        return {shift_left(a, b)};
      case ExprOp::RShift:
        return {shift_right(a, b)};
      case ExprOp::BitwiseAnd:
      case ExprOp::BitwiseOr:
      case ExprOp::BitwiseXor:
        return bits(op, a, b);
      default:
        return unbounded_real();
    }
  }

  const ExprPool& pool_;
  const SymbolRanges& ranges_;
};

}  // namespace

Range ExprPool::bounds(const Dim& dim, const SymbolRanges& ranges) const {
  if (dim.is_number()) return {dim.number(), dim.number()};
  const Interval interval = integers_in(Bounder(*this, ranges).span(dim.expr()));
  Range out;
  if (interval.low.infinite == 0) out.min = interval.low.number;
  if (interval.high.infinite == 0) out.max = interval.high.number;
  return out;
}

}  // namespace ptec
