#include "ops/dims.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "ir/tensor_layout.h"
#include "support/error.h"
#include "sym/expr_make.h"

namespace ptec::edge {
namespace {

[[noreturn]] void too_large() { fail(ErrorCode::Limit, "a size or stride passes 63 bits"); }

ExprId expr_of(ExprPool& exprs, const Dim& dim) {
  return dim.is_number() ? exprs.integer(dim.number()) : dim.expr();
}

Dim combine(ExprPool& exprs, ExprOp op, const Dim& a, const Dim& b) {
  return make_dim(exprs, make_expr(exprs, op, {expr_of(exprs, a), expr_of(exprs, b)}));
}

/// A term of a sum as a number times the rest; `rest` is kNoExpr for a plain number.
struct Term {
  std::int64_t factor = 1;
  ExprId rest = kNoExpr;
};

Term term_of(ExprPool& exprs, ExprId id) {
  const Expr expr = exprs.at(id);  // a copy: the pool may grow
  if (expr.op == ExprOp::Integer) return {expr.number, kNoExpr};
  if (expr.op != ExprOp::Mul) return {1, id};
  Term term;
  std::vector<ExprId> rest;
  for (const ExprId arg : expr.args) {
    if (exprs.at(arg).op == ExprOp::Integer) {
      term.factor = exprs.at(arg).number;
    } else {
      rest.push_back(arg);
    }
  }
  term.rest = rest.size() == 1 ? rest[0] : make_expr(exprs, ExprOp::Mul, std::move(rest));
  return term;
}

/// Adds the terms of `dim` to `terms`, those of one rest together.
void gather_terms(ExprPool& exprs, const Dim& dim, std::vector<Term>& terms) {
  std::vector<ExprId> parts = {expr_of(exprs, dim)};
  if (exprs.at(parts[0]).op == ExprOp::Add) parts = std::vector<ExprId>(exprs.at(parts[0]).args);
  for (const ExprId part : parts) {
    const Term term = term_of(exprs, part);
    const auto found = std::find_if(
        terms.begin(), terms.end(), [&](const Term& other) { return other.rest == term.rest; });
    if (found == terms.end()) {
      terms.push_back(term);
    } else if (__builtin_add_overflow(found->factor, term.factor, &found->factor)) {
      too_large();
    }
  }
}

/// a + b with equal terms added up, so that sums of equal value are equal.
Dim symbolic_sum(ExprPool& exprs, const Dim& a, const Dim& b) {
  std::vector<Term> terms;
  gather_terms(exprs, a, terms);
  gather_terms(exprs, b, terms);
  std::vector<ExprId> parts;
  for (const Term& term : terms) {
    if (term.factor == 0) continue;
    const ExprId factor = exprs.integer(term.factor);
    parts.push_back(term.rest == kNoExpr ? factor
                    : term.factor == 1   ? term.rest
                                         : make_expr(exprs, ExprOp::Mul, {factor, term.rest}));
  }
  if (parts.empty()) return 0;
  return make_dim(exprs,
                  parts.size() == 1 ? parts[0] : make_expr(exprs, ExprOp::Add, std::move(parts)));
}

/// A product is spread over a sum: 2 * (s + 1) is 2*s + 2, as torch writes it.
Dim symbolic_product(ExprPool& exprs, const Dim& a, const Dim& b) {
  if (!a.is_number() && !b.is_number()) return combine(exprs, ExprOp::Mul, a, b);
  const std::int64_t factor = a.is_number() ? a.number() : b.number();
  std::vector<Term> terms;
  gather_terms(exprs, a.is_number() ? b : a, terms);
  if (terms.size() == 1) return combine(exprs, ExprOp::Mul, a, b);
  Dim total = 0;
  for (const Term& term : terms) {
    const Dim rest = term.rest == kNoExpr ? Dim(1) : Dim::of_expr(term.rest);
    total = add_dims(
        exprs, total, multiply_dims(exprs, rest, multiply_dims(exprs, term.factor, factor)));
  }
  return total;
}

/// (f*a) // f where every term is divisible.
std::optional<Dim> exact_quotient(ExprPool& exprs, const Dim& a, std::int64_t divisor) {
  std::vector<Term> terms;
  gather_terms(exprs, a, terms);
  Dim total = 0;
  for (const Term& term : terms) {
    if (term.factor % divisor != 0) return std::nullopt;
    const Dim rest = term.rest == kNoExpr ? Dim(1) : Dim::of_expr(term.rest);
    total = add_dims(exprs, total, multiply_dims(exprs, rest, term.factor / divisor));
  }
  return total;
}

std::vector<ExprId> factors_of(const ExprPool& exprs, ExprId rest) {
  if (rest == kNoExpr) return {};
  const Expr& expr = exprs.at(rest);
  return expr.op == ExprOp::Mul ? expr.args : std::vector<ExprId>{rest};
}

/// (a*s*t) // (b*s) without the factors that both have: (a*t) // b. Nothing when either is a sum,
/// or when the divisor has a factor that the other has not.
std::optional<std::pair<Dim, std::int64_t>> without_common_factors(ExprPool& exprs,
                                                                   const Dim& a,
                                                                   const Dim& b) {
  std::vector<Term> over;
  std::vector<Term> under;
  gather_terms(exprs, a, over);
  gather_terms(exprs, b, under);
  if (over.size() != 1 || under.size() != 1) return std::nullopt;
  std::vector<ExprId> kept = factors_of(exprs, over[0].rest);
  for (const ExprId factor : factors_of(exprs, under[0].rest)) {
    const auto common = std::find(kept.begin(), kept.end(), factor);
    if (common == kept.end()) return std::nullopt;
    kept.erase(common);
  }
  Dim rest = over[0].factor;
  for (const ExprId factor : kept) rest = multiply_dims(exprs, rest, Dim::of_expr(factor));
  return std::pair(rest, under[0].factor);
}

std::int64_t rounded_down(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

}  // namespace

Dim add_dims(ExprPool& exprs, const Dim& a, const Dim& b) {
  if (is_number(a, 0)) return b;
  if (is_number(b, 0)) return a;
  if (!a.is_number() || !b.is_number()) return symbolic_sum(exprs, a, b);
  std::int64_t out = 0;
  if (__builtin_add_overflow(a.number(), b.number(), &out)) too_large();
  return out;
}

Dim subtract_dims(ExprPool& exprs, const Dim& a, const Dim& b) {
  return add_dims(exprs, a, multiply_dims(exprs, b, -1));
}

Dim multiply_dims(ExprPool& exprs, const Dim& a, const Dim& b) {
  if (is_number(a, 1)) return b;
  if (is_number(b, 1)) return a;
  if (is_number(a, 0) || is_number(b, 0)) return 0;
  if (!a.is_number() || !b.is_number()) return symbolic_product(exprs, a, b);
  std::int64_t out = 0;
  if (__builtin_mul_overflow(a.number(), b.number(), &out)) too_large();
  return out;
}

Dim divide_dims(ExprPool& exprs, const Dim& a, const Dim& b) {
  if (is_number(b, 0)) fail(ErrorCode::Malformed, "a size is divided by 0");
  if (is_number(b, 1)) return a;
  if (!a.is_number() && a == b) return 1;
  if (!a.is_number() && b.is_number()) {
    if (const std::optional<Dim> exact = exact_quotient(exprs, a, b.number())) return *exact;
  }
  if (!a.is_number() && !b.is_number()) {
    if (const auto rest = without_common_factors(exprs, a, b))
      return divide_dims(exprs, rest->first, rest->second);
  }
  if (!a.is_number() || !b.is_number()) return combine(exprs, ExprOp::FloorDiv, a, b);
  if (b.number() == -1) return multiply_dims(exprs, a, -1);
  return rounded_down(a.number(), b.number());
}

Dim element_count(ExprPool& exprs, const std::vector<Dim>& sizes) {
  Dim count = 1;
  for (const Dim& size : sizes) count = multiply_dims(exprs, count, size);
  return count;
}

bool is_number(const Dim& dim, std::int64_t number) {
  return dim.is_number() && dim.number() == number;
}

std::vector<Dim> plain_strides(ExprPool& exprs, const std::vector<Dim>& sizes) {
  std::optional<std::vector<Dim>> strides = contiguous_strides(exprs, sizes);
  if (!strides) too_large();
  return *std::move(strides);
}

std::optional<std::int64_t> example_value(const Program& program, const Dim& dim) {
  if (dim.is_number()) return dim.number();
  const Expr& expr = program.exprs.at(dim.expr());
  if (expr.hint) return expr.hint;
  std::map<std::string, std::int64_t, std::less<>> values;
  for (const std::string& symbol : program.exprs.symbols(dim)) {
    for (std::size_t id = 0; id < program.exprs.size(); ++id) {
      const Expr& candidate = program.exprs.at(static_cast<ExprId>(id));
      if (candidate.op == ExprOp::Symbol && candidate.symbol == symbol && candidate.hint)
        values[symbol] = *candidate.hint;
    }
  }
  return program.exprs.evaluate(dim, values);
}

}  // namespace ptec::edge
