#include "sym/sym_expr.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

namespace ptec {
namespace {

template <typename T>
void append_raw(std::string& key, const T& value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  key.append(bytes, sizeof(T));
}

// Everything but the hint.
std::string key_of(const Expr& expr) {
  std::string key;
  append_raw(key, expr.op);
  append_raw(key, expr.number);
  append_raw(key, expr.denominator);
  append_raw(key, expr.real);
  append_raw(key, expr.args.size());
  for (const ExprId arg : expr.args) append_raw(key, arg);
  key += expr.symbol;
  return key;
}

void collect_symbols(const ExprPool& pool,
                     ExprId id,
                     std::set<ExprId>& seen,
                     std::set<std::string>& out) {
  if (!seen.insert(id).second) return;
  const Expr& expr = pool.at(id);
  if (expr.op == ExprOp::Symbol) out.insert(expr.symbol);
  for (const ExprId arg : expr.args) collect_symbols(pool, arg, seen, out);
}

}  // namespace

ExprId ExprPool::intern(Expr expr) {
  const auto [entry, added] =
      by_key_.try_emplace(key_of(expr), ExprId{static_cast<std::uint32_t>(exprs_.size())});
  if (added) {
    exprs_.push_back(std::move(expr));
  } else if (expr.hint) {
    Expr& known = exprs_[static_cast<std::size_t>(entry->second)];
    if (!known.hint) known.hint = expr.hint;
  }
  return entry->second;
}

ExprId ExprPool::symbol(std::string_view name) {
  Expr expr;
  expr.op = ExprOp::Symbol;
  expr.symbol = name;
  return intern(std::move(expr));
}

ExprId ExprPool::integer(std::int64_t number) {
  Expr expr;
  expr.number = number;
  return intern(std::move(expr));
}

std::vector<std::string> ExprPool::symbols(const Dim& dim) const {
  std::set<std::string> out;
  std::set<ExprId> seen;
  if (!dim.is_number()) collect_symbols(*this, dim.expr(), seen, out);
  return {out.begin(), out.end()};
}

}  // namespace ptec
