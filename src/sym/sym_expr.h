// Symbolic sizes: expressions over integer symbols, kept in one pool a program.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ptec {

enum class ExprId : std::uint32_t {};
inline constexpr ExprId kNoExpr = static_cast<ExprId>(0xFFFFFFFFu);

/// A size, stride, offset or symbolic scalar: a plain number, or an expression of the program's
/// pool.
class Dim {
 public:
  constexpr Dim() = default;
  constexpr Dim(std::int64_t number)
      : number_(number) {}  // NOLINT(google-explicit-constructor): a number is a Dim
  static constexpr Dim of_expr(ExprId expr) {
    Dim out;
    out.expr_ = expr;
    return out;
  }

  constexpr bool is_number() const { return expr_ == kNoExpr; }
  constexpr std::int64_t number() const { return number_; }  // only when is_number()
  constexpr ExprId expr() const { return expr_; }            // only when not
  friend constexpr bool operator==(const Dim&, const Dim&) = default;

 private:
  std::int64_t number_ = 0;
  ExprId expr_ = kNoExpr;
};

/// Operators of symbolic expressions. One row each: head in torch's sympy notation, and arity (-1:
/// one or more).
enum class ExprOp : std::uint8_t {
#define PTEC_EXPR_OP(id, head, min_arity, max_arity) id,
#include "sym/expr_ops.def"
#undef PTEC_EXPR_OP
};

struct Expr {
  ExprOp op = ExprOp::Integer;
  std::int64_t number = 0;       // Integer; numerator of Rational
  std::int64_t denominator = 1;  // Rational
  double real = 0;               // Float
  std::string symbol;            // Symbol
  std::vector<ExprId> args;
  std::optional<std::int64_t>
      hint;  // value in the example that was traced, where the archive gives one
};

/// Closed interval of integers; an absent end is unbounded.
struct Range {
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
  friend bool operator==(const Range&, const Range&) = default;
};

using SymbolRanges = std::map<std::string, Range, std::less<>>;  // by symbol name

class ExprPool {
 public:
  const Expr& at(ExprId id) const { return exprs_[static_cast<std::size_t>(id)]; }
  std::size_t size() const { return exprs_.size(); }

  /// The one id of an expression with this content (`hint` does not count: the first hint given is
  /// kept).
  ExprId intern(Expr expr);
  ExprId symbol(std::string_view name);
  ExprId integer(std::int64_t number);

  /// Reads torch's sympy constructor notation, e.g. `Mul(Integer(4), Symbol('s7', integer=True))`.
  /// A text that is a plain number comes back as one. Throws Malformed with the position; never
  /// evaluates anything.
  Dim parse_srepr(std::string_view text);

  /// Infix text, e.g. `4*s7 + 1`, in a canonical order; and back.
  std::string print(const Dim& dim) const;
  Dim parse_infix(std::string_view text);

  /// Value with every symbol given; nothing when a symbol is missing or the operation has no
  /// integer result.
  std::optional<std::int64_t> evaluate(
      const Dim& dim, const std::map<std::string, std::int64_t, std::less<>>& values) const;

  /// Interval of the values that the expression can take while each symbol stays in its range.
  /// Saturates at the ends of 64 bits; an end that cannot be bounded is absent.
  Range bounds(const Dim& dim, const SymbolRanges& ranges) const;

  /// Names of the symbols in it, sorted.
  std::vector<std::string> symbols(const Dim& dim) const;

 private:
  std::vector<Expr> exprs_;
  std::unordered_map<std::string, ExprId> by_key_;  // looked up only, never iterated
};

}  // namespace ptec
