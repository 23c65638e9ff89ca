#include "sym/expr_make.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace ptec {
namespace {

// Numbers first, symbols next, operators after them.
int rank(ExprOp op) {
  switch (op) {
    case ExprOp::Integer:
      return 0;
    case ExprOp::Rational:
      return 1;
    case ExprOp::Float:
      return 2;
    case ExprOp::Symbol:
      return 3;
    default:
      return 4 + static_cast<int>(op);
  }
}

template <typename T>
int three_way(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

// Compares content, never ids: ids depend on what was read before.
int compare(const ExprPool& pool, ExprId a_id, ExprId b_id) {
  if (a_id == b_id) return 0;
  const Expr& a = pool.at(a_id);
  const Expr& b = pool.at(b_id);
  if (const int order = three_way(rank(a.op), rank(b.op))) return order;
  if (const int order = three_way(a.number, b.number)) return order;
  if (const int order = three_way(a.denominator, b.denominator)) return order;
  if (const int order = three_way(a.real, b.real)) return order;
  if (const int order = three_way(a.symbol, b.symbol)) return order;
  if (const int order = three_way(a.args.size(), b.args.size())) return order;
  for (std::size_t i = 0; i < a.args.size(); ++i) {
    if (const int order = compare(pool, a.args[i], b.args[i])) return order;
  }
  return 0;
}

bool commutes(ExprOp op) {
  return op == ExprOp::Add || op == ExprOp::Mul || op == ExprOp::Max || op == ExprOp::Min ||
         op == ExprOp::And || op == ExprOp::Or || op == ExprOp::Xor;
}

bool combine(ExprOp op, std::int64_t& into, std::int64_t number) {
  std::int64_t result = 0;
  const bool overflow = op == ExprOp::Add ? __builtin_add_overflow(into, number, &result)
                                          : __builtin_mul_overflow(into, number, &result);
  if (!overflow) into = result;
  return !overflow;
}

std::vector<ExprId> flattened(const ExprPool& pool, ExprOp op, const std::vector<ExprId>& args) {
  std::vector<ExprId> out;
  for (const ExprId arg : args) {
    const Expr& expr = pool.at(arg);
    if (expr.op == op) {
      out.insert(out.end(), expr.args.begin(), expr.args.end());  // already flat itself
    } else {
      out.push_back(arg);
    }
  }
  return out;
}

// The integers among the terms or factors become one; integers that would overflow stay apart.
std::vector<ExprId> gathered(ExprPool& pool, ExprOp op, const std::vector<ExprId>& args) {
  const std::int64_t neutral = op == ExprOp::Add ? 0 : 1;
  std::int64_t number = neutral;
  std::vector<ExprId> out;
  for (const ExprId arg : args) {
    const Expr& expr = pool.at(arg);
    if (expr.op != ExprOp::Integer || !combine(op, number, expr.number)) out.push_back(arg);
  }
  if (number != neutral || out.empty()) out.push_back(pool.integer(number));
  return out;
}

}  // namespace

ExprId make_expr(ExprPool& pool, ExprOp op, std::vector<ExprId> args, std::string symbol) {
  const auto sort = [&pool, &args] {
    std::sort(
        args.begin(), args.end(), [&pool](ExprId a, ExprId b) { return compare(pool, a, b) < 0; });
  };
  if (op == ExprOp::Add || op == ExprOp::Mul) {
    args = flattened(pool, op, args);
    std::size_t before = 0;
    do {  // once more after an overflow: what stayed apart may fit by now
      before = args.size();
      sort();
      args = gathered(pool, op, args);
    } while (args.size() != before);
    if (args.size() == 1) return args[0];
  }
  if (commutes(op)) sort();
  Expr expr;
  expr.op = op;
  expr.args = std::move(args);
  expr.symbol = std::move(symbol);
  return pool.intern(std::move(expr));
}

std::optional<ExprId> make_rational(ExprPool& pool,
                                    std::int64_t numerator,
                                    std::int64_t denominator) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  if (numerator == kLowest || denominator == kLowest) return std::nullopt;
  if (denominator < 0) {
    numerator = -numerator;
    denominator = -denominator;
  }
  const std::int64_t divisor = std::gcd(numerator, denominator);
  numerator /= divisor;
  denominator /= divisor;
  if (denominator == 1) return pool.integer(numerator);
  Expr expr;
  expr.op = ExprOp::Rational;
  expr.number = numerator;
  expr.denominator = denominator;
  return pool.intern(std::move(expr));
}

Dim make_dim(const ExprPool& pool, ExprId expr) {
  const Dim dim = Dim::of_expr(expr);
  if (pool.at(expr).op == ExprOp::Integer) return Dim(pool.at(expr).number);
  if (pool.symbols(dim).empty()) {
    if (const std::optional<std::int64_t> number = pool.evaluate(dim, {})) return Dim(*number);
  }
  return dim;
}

}  // namespace ptec
