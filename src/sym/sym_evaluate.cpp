// Exact values of symbolic expressions. Integers and fractions are kept exact; an operation that
// leaves 64 bits, divides by zero or has no meaning gives no value.
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "sym/sym_expr.h"

namespace ptec {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

/// A fraction in lowest terms, or a floating point number.
struct Number {
  bool exact = true;
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  double real = 0;

  bool integral() const { return exact && denominator == 1; }
  double as_double() const {
    return exact ? static_cast<double>(numerator) / static_cast<double>(denominator) : real;
  }
};
using Maybe = std::optional<Number>;

Maybe integer(std::optional<std::int64_t> value) {
  if (!value) return std::nullopt;
  return Number{true, *value, 1, 0};
}

Maybe real(double value) {
  if (!std::isfinite(value)) return std::nullopt;
  return Number{false, 0, 1, value};
}

Maybe truth(bool value) { return integer(value ? 1 : 0); }

Maybe fraction(std::optional<std::int64_t> numerator, std::optional<std::int64_t> denominator) {
  if (!numerator || !denominator || *denominator == 0) return std::nullopt;
  if (*numerator == kLowest || *denominator == kLowest) {
    return *denominator == 1 ? integer(numerator) : std::nullopt;
  }
  const std::int64_t divisor = std::gcd(*numerator, *denominator) * (*denominator < 0 ? -1 : 1);
  return Number{true, *numerator / divisor, *denominator / divisor, 0};
}

std::optional<std::int64_t> plus(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  std::int64_t out = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &out)) return std::nullopt;
  return out;
}

std::optional<std::int64_t> times(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  std::int64_t out = 0;
  if (!a || !b || __builtin_mul_overflow(*a, *b, &out)) return std::nullopt;
  return out;
}

std::optional<std::int64_t> floor_div(std::int64_t a, std::int64_t b) {
  if (b == 0 || (a == kLowest && b == -1)) return std::nullopt;
  const std::int64_t quotient = a / b;
  return quotient - ((a % b != 0 && (a % b < 0) != (b < 0)) ? 1 : 0);
}

// The sign of the divisor, as Python's % has it.
std::optional<std::int64_t> floor_mod(std::int64_t a, std::int64_t b) {
  if (b == 0) return std::nullopt;
  if (b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

std::optional<std::int64_t> power(std::int64_t base, std::int64_t exponent) {
  std::optional<std::int64_t> out = 1;
  std::optional<std::int64_t> square = base;
  for (std::int64_t left = exponent; left > 0 && out; left >>= 1) {
    if (left & 1) out = times(out, square);
    if (left > 1) square = times(square, square);
  }
  return out;
}

Maybe add(const Number& a, const Number& b) {
  if (!a.exact || !b.exact) return real(a.as_double() + b.as_double());
  return fraction(plus(times(a.numerator, b.denominator), times(b.numerator, a.denominator)),
                  times(a.denominator, b.denominator));
}

Maybe multiply(const Number& a, const Number& b) {
  if (!a.exact || !b.exact) return real(a.as_double() * b.as_double());
  return fraction(times(a.numerator, b.numerator), times(a.denominator, b.denominator));
}

Maybe pow_of(const Number& base, const Number& exponent) {
  if (!base.exact || !exponent.integral()) {
    return real(std::pow(base.as_double(), exponent.as_double()));
  }
  const std::int64_t n = exponent.numerator;
  if (n == kLowest) return std::nullopt;
  const std::optional<std::int64_t> top = power(base.numerator, n < 0 ? -n : n);
  const std::optional<std::int64_t> bottom = power(base.denominator, n < 0 ? -n : n);
  return n < 0 ? fraction(bottom, top) : fraction(top, bottom);
}

int compare(const Number& a, const Number& b) {
  if (a.integral() && b.integral()) {
    return a.numerator < b.numerator ? -1 : (a.numerator > b.numerator ? 1 : 0);
  }
  const double x = a.as_double();
  const double y = b.as_double();
  return x < y ? -1 : (x > y ? 1 : 0);
}

std::optional<std::int64_t> to_integer(double value) {
  if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

double round_half_even(double value) {
  const double down = std::floor(value);
  const double rest = value - down;
  if (rest != 0.5) return rest < 0.5 ? down : down + 1;
  return std::fmod(down, 2) == 0 ? down : down + 1;
}

Maybe rounded(ExprOp op, const Number& value) {
  if (value.exact && op != ExprOp::RoundToInt) {
    const std::optional<std::int64_t> down = floor_div(value.numerator, value.denominator);
    const bool whole = value.denominator == 1;
    if (op == ExprOp::Floor || op == ExprOp::FloorToInt) return integer(down);
    if (op == ExprOp::Ceiling || op == ExprOp::CeilToInt) {
      return integer(plus(down, whole ? 0 : 1));
    }
    return integer(plus(down, !whole && value.numerator < 0 ? 1 : 0));
  }
  if (value.integral()) return value;
  const double x = value.as_double();
  if (op == ExprOp::RoundToInt) return integer(to_integer(round_half_even(x)));
  if (op == ExprOp::Floor || op == ExprOp::FloorToInt) return integer(to_integer(std::floor(x)));
  if (op == ExprOp::Ceiling || op == ExprOp::CeilToInt) return integer(to_integer(std::ceil(x)));
  return integer(to_integer(std::trunc(x)));
}

Maybe integer_binary(ExprOp op, const Number& left, const Number& right) {
  if (!left.integral() || !right.integral()) return std::nullopt;
  const std::int64_t a = left.numerator;
  const std::int64_t b = right.numerator;
  switch (op) {
    case ExprOp::FloorDiv:
      return integer(floor_div(a, b));
    case ExprOp::CleanDiv:
      if (b == 0 || floor_mod(a, b) != 0) return std::nullopt;
      return integer(floor_div(a, b));
    case ExprOp::CeilDiv: {
      const std::optional<std::int64_t> down = floor_div(a, b);
      return integer(plus(down, b != 0 && floor_mod(a, b) != 0 ? 1 : 0));
    }
    case ExprOp::Mod:
    case ExprOp::PythonMod:
      return integer(floor_mod(a, b));
    case ExprOp::LShift:
      if (b < 0 || b > 62) return std::nullopt;
      return integer(times(a, std::int64_t{1} << b));
    case ExprOp::RShift:
      if (b < 0) return std::nullopt;
      return integer(a >> (b > 63 ? 63 : b));
    case ExprOp::BitwiseAnd:
      return integer(a & b);
    case ExprOp::BitwiseOr:
      return integer(a | b);
    case ExprOp::BitwiseXor:
      return integer(a ^ b);
    case ExprOp::PowByNatural:
      if (b < 0) return std::nullopt;
      return integer(power(a, b));
    default:
      return std::nullopt;
  }
}

class Evaluator {
 public:
  Evaluator(const ExprPool& pool, const std::map<std::string, std::int64_t, std::less<>>& values)
      : pool_(pool), values_(values) {}

  Maybe value(ExprId id) const {
    const Expr& expr = pool_.at(id);
    switch (expr.op) {
      case ExprOp::Symbol: {
        const auto found = values_.find(expr.symbol);
        return found == values_.end() ? std::nullopt : integer(found->second);
      }
      case ExprOp::Integer:
        return integer(expr.number);
      case ExprOp::Rational:
        return fraction(expr.number, expr.denominator);
      case ExprOp::Float:
        return real(expr.real);
      case ExprOp::BooleanTrue:
        return truth(true);
      case ExprOp::BooleanFalse:
        return truth(false);
      case ExprOp::Infinity:
      case ExprOp::IntInfinity:
      case ExprOp::NotANumber:
      case ExprOp::ExprCondPair:
        return std::nullopt;
      case ExprOp::Where: {
        const Maybe condition = value(expr.args[0]);
        if (!condition) return std::nullopt;
        return value(expr.args[condition->numerator != 0 ? 1 : 2]);
      }
      case ExprOp::Piecewise:
        return piecewise(expr);
      default:
        return operation(expr);
    }
  }

 private:
  Maybe piecewise(const Expr& expr) const {
    for (const ExprId arg : expr.args) {
      const Expr& pair = pool_.at(arg);
      if (pair.op != ExprOp::ExprCondPair) return std::nullopt;
      const Maybe condition = value(pair.args[1]);
      if (!condition) return std::nullopt;
      if (condition->numerator != 0) return value(pair.args[0]);
    }
    return std::nullopt;
  }

  Maybe operation(const Expr& expr) const {
    std::vector<Number> args;
    for (const ExprId arg : expr.args) {
      const Maybe number = value(arg);
      if (!number) return std::nullopt;
      args.push_back(*number);
    }
    if (args.empty()) return std::nullopt;
    if (args.size() == 1) {
      if (const Maybe out = unary(expr, args[0])) return out;
    }
    if (args.size() == 2) {
      if (const Maybe out = binary(expr.op, args[0], args[1])) return out;
    }
    return many(expr.op, args);
  }

  static Maybe unary(const Expr& expr, const Number& a) {
    switch (expr.op) {
      case ExprOp::Identity:
        return a;
      case ExprOp::Not:
        return truth(a.numerator == 0);
      case ExprOp::Abs:
        return a.as_double() < 0 ? multiply(a, Number{true, -1, 1, 0}) : Maybe(a);
      case ExprOp::ToFloat:
        return real(a.as_double());
      case ExprOp::TruncToFloat:
        return real(std::trunc(a.as_double()));
      case ExprOp::TruncToInt:
      case ExprOp::FloorToInt:
      case ExprOp::CeilToInt:
      case ExprOp::RoundToInt:
      case ExprOp::Floor:
      case ExprOp::Ceiling:
        return rounded(expr.op, a);
      case ExprOp::OpaqueUnary:
        return expr.symbol == "sqrt" ? real(std::sqrt(a.as_double())) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  static Maybe binary(ExprOp op, const Number& a, const Number& b) {
    switch (op) {
      case ExprOp::Pow:
        return pow_of(a, b);
      case ExprOp::FloatPow:
        return real(std::pow(a.as_double(), b.as_double()));
      case ExprOp::IntTrueDiv:
      case ExprOp::FloatTrueDiv:
        return real(a.as_double() / b.as_double());
      case ExprOp::Equality:
        return truth(compare(a, b) == 0);
      case ExprOp::Unequality:
        return truth(compare(a, b) != 0);
      case ExprOp::StrictLessThan:
        return truth(compare(a, b) < 0);
      case ExprOp::LessThan:
        return truth(compare(a, b) <= 0);
      case ExprOp::StrictGreaterThan:
        return truth(compare(a, b) > 0);
      case ExprOp::GreaterThan:
        return truth(compare(a, b) >= 0);
      default:
        return integer_binary(op, a, b);
    }
  }

  static Maybe many(ExprOp op, const std::vector<Number>& args) {
    if (op == ExprOp::ModularIndexing) {
      const Maybe quotient = integer_binary(ExprOp::FloorDiv, args[0], args[1]);
      return quotient ? integer_binary(ExprOp::Mod, *quotient, args[2]) : std::nullopt;
    }
    const bool logic = op == ExprOp::And || op == ExprOp::Or || op == ExprOp::Xor;
    Maybe out = logic ? truth(args[0].numerator != 0) : args[0];
    for (std::size_t i = 1; i < args.size() && out; ++i) out = fold(op, *out, args[i]);
    switch (op) {
      case ExprOp::Add:
      case ExprOp::Mul:
      case ExprOp::Max:
      case ExprOp::Min:
      case ExprOp::And:
      case ExprOp::Or:
      case ExprOp::Xor:
        return out;
      default:
        return std::nullopt;
    }
  }

  static Maybe fold(ExprOp op, const Number& a, const Number& b) {
    switch (op) {
      case ExprOp::Add:
        return add(a, b);
      case ExprOp::Mul:
        return multiply(a, b);
      case ExprOp::Max:
        return compare(a, b) < 0 ? b : a;
      case ExprOp::Min:
        return compare(a, b) > 0 ? b : a;
      case ExprOp::And:
        return truth(a.numerator != 0 && b.numerator != 0);
      case ExprOp::Or:
        return truth(a.numerator != 0 || b.numerator != 0);
      case ExprOp::Xor:
        return truth((a.numerator != 0) != (b.numerator != 0));
      default:
        return std::nullopt;
    }
  }

  const ExprPool& pool_;
  const std::map<std::string, std::int64_t, std::less<>>& values_;
};

}  // namespace

std::optional<std::int64_t> ExprPool::evaluate(
    const Dim& dim, const std::map<std::string, std::int64_t, std::less<>>& values) const {
  if (dim.is_number()) return dim.number();
  const Maybe number = Evaluator(*this, values).value(dim.expr());
  if (!number || !number->integral()) return std::nullopt;
  return number->numerator;
}

}  // namespace ptec
