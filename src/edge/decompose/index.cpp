// Operators that pick or replace elements by index.
//
// Source: torch 2.14, torch/_decomp/decompositions.py and torch/_refs/__init__.py.
#include <cmath>

#include "edge/decompose/rules.h"

namespace ptec::edge {
namespace {

using Sizes = std::vector<Dim>;
using Numbers = std::vector<std::int64_t>;

/// The list of indices of `index.Tensor` with one in the place of a dimension.
Argument::List index_at(std::size_t dim, NodeId index) {
  Argument::List out(dim, Argument(None{}));
  out.emplace_back(index);
  return out;
}

Results put(const Rewrite& r, NodeId value, bool accumulate) {
  const NodeId x = r.self();
  if (r.b.rank(x) == 0) return {};
  const std::size_t dim = wrapped_dim(r.args.integer(1, "dim"), r.b.rank(x));
  NodeId index = r.args.node(2, "index");
  if (r.b.rank(index) == 0) index = unsqueeze(r, index, 0);
  std::vector<Argument> args = {x, index_at(dim, index), value};
  if (accumulate) args.emplace_back(true);
  return {r.op("index_put.default", std::move(args))};
}

Results index_copy(const Rewrite& r) { return put(r, r.args.node(3, "source"), false); }

Results index_add(const Rewrite& r) {
  NodeId value = r.args.node(3, "source");
  if (r.args.number_or(4, "alpha", 1) != 1)
    value = r.op("mul.Tensor", {value, r.args.any(4, "alpha")});
  return put(r, value, true);
}

Results index_fill(const Rewrite& r) {
  const NodeId x = r.self();
  const NodeId index = r.args.node(2, "index");
  if (r.b.rank(x) == 0) return {};
  const std::size_t dim = wrapped_dim(r.args.integer(1, "dim"), r.b.rank(x));
  NodeId value = kNoNode;
  const Argument given = r.args.any(3, "value");
  value = given.node() != nullptr ? *given.node() : scalar_tensor(r, given, r.b.dtype(x));
  Sizes sizes = r.b.sizes(x);
  sizes[dim] = element_count(r.b.exprs(), r.b.sizes(index));
  return put(r, r.op("expand.default", {value, r.b.list(sizes)}), false);
}

Results take(const Rewrite& r) {
  const NodeId x = r.self();
  const NodeId flat = reshape(r, x, {element_count(r.b.exprs(), r.b.sizes(x))});
  return {r.op("index.Tensor", {flat, index_at(0, r.args.node(1, "index"))})};
}

Results take_along_dim(const Rewrite& r) {
  const NodeId x = r.self();
  const NodeId index = r.args.node(1, "indices");
  if (!r.args.has(2, "dim") || r.b.rank(x) != r.b.rank(index)) return {};
  const std::size_t dim = wrapped_dim(r.args.integer(2, "dim"), r.b.rank(x));
  Sizes wide = r.b.sizes(x);
  Sizes narrow = r.b.sizes(index);
  const Dim size = wide.at(dim);
  for (std::size_t i = 0; i < wide.size(); ++i) {
    if (i == dim) continue;
    if (is_number(wide[i], 1)) wide[i] = narrow[i];
    narrow[i] = wide[i];
  }
  // A negative index counts from the end, so the rest of a division is what is meant.
  const NodeId places = r.op("expand.default", {index, r.b.list(narrow)});
  const NodeId values = r.op("expand.default", {x, r.b.list(wide)});
  const NodeId wrapped = r.op("remainder.Scalar", {places, r.b.size(size)});
  return {r.op("gather.default", {values, static_cast<std::int64_t>(dim), wrapped})};
}

/// The reference's asserts on the classes are gone before the file is written, so none are made.
Results one_hot(const Rewrite& r) {
  const NodeId x = r.self();
  const std::int64_t classes = r.args.integer_or(1, "num_classes", -1);
  if (classes < 1) return {};
  const NodeId column = unsqueeze(r, x, -1);
  const NodeId row = arange(r, std::int64_t{0}, classes, ScalarType::Int64);
  return {cast(r, r.op("eq.Tensor", {column, row}), ScalarType::Int64)};
}

/// Compares each with each. Only where torch does: where many are looked for it sorts them.
Results isin(const Rewrite& r) {
  const NodeId x = r.args.node(0, "elements");
  const NodeId wanted = r.args.node(1, "test_elements");
  const Dim count = element_count(r.b.exprs(), r.b.sizes(x));
  const Dim wanted_count = element_count(r.b.exprs(), r.b.sizes(wanted));
  if (!count.is_number() || !wanted_count.is_number() || count.number() < 1) return {};
  const double most = 10.0 * std::pow(static_cast<double>(count.number()), 0.145);
  if (static_cast<double>(wanted_count.number()) >= most) return {};
  NodeId found = kNoNode;
  if (r.b.rank(wanted) == 0) {
    found = r.op("eq.Tensor", {x, wanted});
  } else {
    Sizes sizes = r.b.sizes(x);
    Numbers dims;
    for (std::size_t i = 0; i < r.b.rank(wanted); ++i) {
      sizes.emplace_back(1);
      dims.push_back(-1 - static_cast<std::int64_t>(i));
    }
    const NodeId equal = r.op("eq.Tensor", {view(r, x, sizes), wanted});
    found = r.op("any.dims", {equal, Builder::integers(dims)});
  }
  if (!r.args.flag_or(3, "invert", false)) return {found};
  return {r.op("bitwise_not.default", {found})};
}

Results fill(const Rewrite& r) {
  return {r.op("full_like.default", {r.self(), r.args.any(1, "value")})};
}

Results select_scatter(const Rewrite& r) {
  const NodeId x = r.self();
  const Sizes sizes = r.b.sizes(x);
  if (sizes.empty()) return {};
  const std::size_t dim = wrapped_dim(r.args.integer(2, "dim"), sizes.size());
  std::int64_t at = r.args.integer(3, "index");
  if (at < 0) {
    if (!sizes[dim].is_number()) return {};
    at += sizes[dim].number();
  }
  Argument::List shape(sizes.size(), Argument(std::int64_t{1}));
  shape[dim] = Argument(std::int64_t{-1});
  const NodeId places = arange(r, std::int64_t{0}, r.b.size(sizes[dim]), std::nullopt);
  const NodeId row = r.op("view.default", {places, shape});
  const NodeId mask = r.op("eq.Scalar", {row, at});
  const NodeId tall = unsqueeze(r, r.args.node(1, "src"), static_cast<std::int64_t>(dim));
  const NodeId wide = r.op("expand.default", {tall, r.b.list(sizes)});
  return {r.op("where.self", {mask, wide, x})};
}

constexpr DecomposeRule kRules[] = {
    {"aten::index_copy.default", index_copy},
    {"aten::index_add.default", index_add},
    {"aten::index_fill.int_Scalar", index_fill},
    {"aten::index_fill.int_Tensor", index_fill},
    {"aten::fill.Scalar", fill},
    {"aten::isin.Tensor_Tensor", isin},
    {"aten::one_hot.default", one_hot},
    {"aten::take.default", take},
    {"aten::take_along_dim.default", take_along_dim},
    {"aten::select_scatter.default", select_scatter},
};

}  // namespace

Rows<DecomposeRule> index_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
