// Products of matrices and vectors.
//
// Source: torch 2.14, torch/_decomp/decompositions.py, aten/src/ATen/native/Linear.cpp and
// LinearAlgebra.cpp.
#include <algorithm>

#include "edge/decompose/rules.h"
#include "ops/layouts.h"
#include "ops/views.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

using Sizes = std::vector<Dim>;

NodeId dot_of(const Rewrite& r, NodeId a, NodeId b) {
  const NodeId product = r.op("mul.Tensor", {a, b});
  return r.op("sum.dim_IntList", {product, Argument::List{}});
}

NodeId mv_of(const Rewrite& r, NodeId a, NodeId b) {
  const NodeId product = r.op("mul.Tensor", {a, b});
  return r.op("sum.dim_IntList", {product, Argument::List{Argument(std::int64_t{1})}});
}

/// Whether the trace follows gradients to it: a parameter, or one seen in another shape. What is
/// computed from it is traced without.
bool is_followed(const Rewrite& r, NodeId id) {
  const Graph& graph = r.b.program().graph;
  while (graph.at(id).kind == NodeKind::Call && !copy_of_view(graph.at(id).target).empty() &&
         graph.at(id).args.at(0).node() != nullptr)
    id = *graph.at(id).args[0].node();
  return graph.at(id).kind == NodeKind::Placeholder && r.meta(id).requires_grad;
}

/// Whether the batch dimensions of the larger operand go into the rows of one product.
bool folds(const Rewrite& r, NodeId a, NodeId b) {
  const bool first = r.b.rank(a) >= r.b.rank(b);
  const TensorMeta& large = r.meta(first ? a : b);
  const TensorMeta& small = r.meta(first ? b : a);
  if (large.sizes.size() < 3 || small.sizes.size() > 2) return false;
  if (is_followed(r, first ? b : a)) return true;
  if (r.b.rank(a) == 2) return false;
  return is_contiguous(r.b.program(), large);
}

NodeId folded_product(const Rewrite& r, NodeId a, NodeId b) {
  const bool transposed = r.b.rank(b) > r.b.rank(a);
  NodeId large = transposed ? b : a;
  NodeId small = transposed ? a : b;
  if (transposed) {
    large = transpose(r, b, r.b.rank(b) - 2, r.b.rank(b) - 1);
    if (r.b.rank(a) == 2) small = transpose(r, a, 0, 1);
  }
  Sizes out = r.b.sizes(large);
  const Dim inner = out.back();
  out.pop_back();
  const Dim rows = r.b.product(out);
  const bool matrix = r.b.rank(small) == 2;
  if (matrix) out.push_back(r.b.sizes(small)[1]);
  const NodeId flat = reshape(r, large, {rows, inner});
  const NodeId product = matrix ? r.op("mm.default", {flat, small}) : mv_of(r, flat, small);
  const NodeId shaped = view(r, product, out);
  if (!matrix || !transposed) return shaped;
  return contiguous(r, transpose(r, shaped, out.size() - 2, out.size() - 1));
}

Sizes batch_of(const Sizes& sizes) {
  return sizes.size() < 2 ? Sizes{} : Sizes(sizes.begin(), sizes.end() - 2);
}

Sizes joined(Sizes front, std::initializer_list<Dim> back) {
  front.insert(front.end(), back);
  return front;
}

Sizes broadcast_batch(const Sizes& a, const Sizes& b) {
  Sizes out = a.size() >= b.size() ? a : b;
  const Sizes& shorter = a.size() >= b.size() ? b : a;
  const std::size_t offset = out.size() - shorter.size();
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    if (is_number(out[offset + i], 1)) out[offset + i] = shorter[i];
  }
  return out;
}

NodeId expanded(const Rewrite& r, NodeId value, const Sizes& sizes) {
  return r.op("expand.default", {value, r.b.list(sizes)});
}

NodeId batched_product(const Rewrite& r, NodeId a, NodeId b) {
  const Sizes left = r.b.sizes(a);
  const Sizes right = r.b.sizes(b);
  const Dim n = left.size() > 1 ? left[left.size() - 2] : Dim(1);
  const Dim p = right.size() > 1 ? right.back() : Dim(1);
  const Dim inner = right.size() > 1 ? right[right.size() - 2] : right.back();
  const Sizes batch = broadcast_batch(batch_of(left), batch_of(right));
  r.b.list(batch);
  const Dim count = element_count(r.b.exprs(), batch);
  r.b.size(count);
  const NodeId wide = expanded(r, a, joined(batch, {n, left.back()}));
  const NodeId first = reshape(r, wide, {count, n, left.back()});
  Sizes out = batch;
  if (left.size() > 1) out.push_back(n);
  if (right.size() == 1) {
    const NodeId tall = expanded(r, b, joined(batch, {inner}));
    const NodeId flat = reshape(r, tall, {count, inner});
    const NodeId second = r.op("unsqueeze.default", {flat, std::int64_t{2}});
    const NodeId product = r.op("bmm.default", {first, second});
    const NodeId squeezed = r.op("squeeze.dim", {product, std::int64_t{-1}});
    return view(r, squeezed, out);
  }
  const NodeId tall = expanded(r, b, joined(batch, {inner, p}));
  const NodeId second = reshape(r, tall, {count, inner, p});
  const NodeId product = r.op("bmm.default", {first, second});
  out.push_back(p);
  return view(r, product, out);
}

NodeId matmul_of(const Rewrite& r, NodeId a, NodeId b) {
  const std::size_t left = r.b.rank(a);
  const std::size_t right = r.b.rank(b);
  if (left == 0 || right == 0) fail(ErrorCode::Malformed, "matmul of a tensor without dimensions");
  if (left == 1 && right == 1) return dot_of(r, a, b);
  if (left == 2 && right == 1) return mv_of(r, a, b);
  if (left == 1 && right == 2) {
    const NodeId row = r.op("unsqueeze.default", {a, std::int64_t{0}});
    const NodeId product = r.op("mm.default", {row, b});
    return r.op("squeeze.dim", {product, std::int64_t{0}});
  }
  if (left == 2 && right == 2) return r.op("mm.default", {a, b});
  return folds(r, a, b) ? folded_product(r, a, b) : batched_product(r, a, b);
}

Results matmul(const Rewrite& r) { return {matmul_of(r, r.self(), r.args.node(1, "other"))}; }
Results dot(const Rewrite& r) { return {dot_of(r, r.self(), r.args.node(1, "tensor"))}; }
Results mv(const Rewrite& r) { return {mv_of(r, r.self(), r.args.node(1, "vec"))}; }

Results linear(const Rewrite& r) {
  const NodeId x = r.args.node(0, "input");
  const NodeId weight = r.args.node(1, "weight");
  if (r.b.rank(weight) != 2) return {};
  const std::size_t rank = r.b.rank(x);
  const bool has_bias = r.args.has(2, "bias");
  if (has_bias && rank == 2) {
    const NodeId turned = transpose(r, weight, 0, 1);
    return {r.op("addmm.default", {r.args.node(2, "bias"), x, turned})};
  }
  if (has_bias && rank != 2 && is_contiguous(r.b.program(), r.meta(x))) {
    Sizes out = r.b.sizes(x);
    const Dim inner = out.back();
    out.pop_back();
    const NodeId flat = reshape(r, x, {r.b.product(out), inner});
    const NodeId turned = transpose(r, weight, 0, 1);
    const NodeId product = r.op("addmm.default", {r.args.node(2, "bias"), flat, turned});
    out.push_back(r.b.sizes(weight)[0]);
    return {view(r, product, out)};
  }
  const NodeId turned = transpose(r, weight, 0, 1);
  const bool is_flat = rank < 3 || is_contiguous(r.b.program(), r.meta(x));
  const NodeId product = is_flat ? matmul_of(r, x, turned) : batched_product(r, x, turned);
  if (!has_bias) return {product};
  return {r.op("add.Tensor", {product, r.args.node(2, "bias")})};
}

Results baddbmm(const Rewrite& r) {
  NodeId out = r.op("bmm.default", {r.args.node(1, "batch1"), r.args.node(2, "batch2")});
  if (!is_floating(r.b.dtype(r.self()))) return {};
  if (r.args.number_or(4, "alpha", 1) != 1) out = r.op("mul.Tensor", {out, r.args.any(4, "alpha")});
  const double beta = r.args.number_or(3, "beta", 1);
  if (beta == 0) return {out};
  NodeId self = r.self();
  if (beta != 1) self = r.op("mul.Tensor", {self, r.args.any(3, "beta")});
  return {r.op("add.Tensor", {self, out})};
}

Results outer(const Rewrite& r) {
  const NodeId column = reshape(r, r.self(), {r.b.sizes(r.self()).at(0), Dim(1)});
  return {r.op("mul.Tensor", {column, r.args.node(1, "vec2")})};
}

/// Sums over `left` dimensions of a and the `right` ones of b, in pairs.
NodeId tensordot_of(const Rewrite& r,
                    NodeId a,
                    NodeId b,
                    const std::vector<std::int64_t>& left,
                    const std::vector<std::int64_t>& right) {
  const auto summed = [](const std::vector<std::int64_t>& dims, std::size_t rank, std::size_t dim) {
    return std::any_of(
        dims.begin(), dims.end(), [&](std::int64_t d) { return wrapped_dim(d, rank) == dim; });
  };
  Sizes out;
  Dim rows = 1;
  Dim columns = 1;
  Dim inner = 1;
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> second(right);
  ExprPool& exprs = r.b.exprs();
  for (std::size_t i = 0; i < r.b.rank(a); ++i) {
    if (summed(left, r.b.rank(a), i)) continue;
    first.push_back(static_cast<std::int64_t>(i));
    rows = multiply_dims(exprs, rows, r.b.sizes(a)[i]);
    out.push_back(r.b.sizes(a)[i]);
  }
  for (const std::int64_t dim : left) {
    first.push_back(dim);
    inner = multiply_dims(exprs, inner, r.b.sizes(a)[wrapped_dim(dim, r.b.rank(a))]);
  }
  for (std::size_t i = 0; i < r.b.rank(b); ++i) {
    if (summed(right, r.b.rank(b), i)) continue;
    second.push_back(static_cast<std::int64_t>(i));
    columns = multiply_dims(exprs, columns, r.b.sizes(b)[i]);
    out.push_back(r.b.sizes(b)[i]);
  }
  const NodeId turned = r.op("permute.default", {a, Builder::integers(first)});
  const NodeId flat = reshape(r, turned, {rows, inner});
  const NodeId other = r.op("permute.default", {b, Builder::integers(second)});
  const NodeId other_flat = reshape(r, other, {inner, columns});
  const NodeId product = r.op("mm.default", {flat, other_flat});
  return reshape(r, product, out);
}

Results tensordot(const Rewrite& r) {
  return {tensordot_of(r,
                       r.self(),
                       r.args.node(1, "other"),
                       r.args.integers(2, "dims_self"),
                       r.args.integers(3, "dims_other"))};
}

Results inner(const Rewrite& r) {
  const NodeId other = r.args.node(1, "other");
  if (r.b.rank(r.self()) == 0 || r.b.rank(other) == 0)
    return {r.op("mul.Tensor", {r.self(), other})};
  return {tensordot_of(r, r.self(), other, {-1}, {-1})};
}

Results kron(const Rewrite& r) {
  const NodeId b = r.args.node(1, "other");
  const std::size_t rank = std::max(r.b.rank(r.self()), r.b.rank(b));
  Sizes left;
  Sizes right;
  Sizes out;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto size = [&](NodeId id) {
      const std::size_t offset = rank - r.b.rank(id);
      return i < offset ? Dim(1) : r.b.sizes(id)[i - offset];
    };
    left.insert(left.end(), {size(r.self()), Dim(1)});
    right.insert(right.end(), {Dim(1), size(b)});
    out.push_back(multiply_dims(r.b.exprs(), size(r.self()), size(b)));
  }
  const NodeId first = reshape(r, r.self(), left);
  const NodeId second = reshape(r, b, right);
  return {view(r, r.op("mul.Tensor", {first, second}), out)};
}

constexpr DecomposeRule kRules[] = {
    {"aten::matmul.default", matmul},
    {"aten::dot.default", dot},
    {"aten::mv.default", mv},
    {"aten::linear.default", linear},
    {"aten::baddbmm.default", baddbmm},
    {"aten::outer.default", outer},
    {"aten::tensordot.default", tensordot},
    {"aten::inner.default", inner},
    {"aten::kron.default", kron},
};

}  // namespace

Rows<DecomposeRule> matmul_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
