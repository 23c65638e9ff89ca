// Attention.
//
// Source: torch 2.14, aten/src/ATen/native/transformers/attention.cpp and
// torch/_decomp/decompositions.py, _scaled_dot_product_flash_attention_for_cpu.
#include <cmath>
#include <limits>

#include "edge/decompose/rules.h"

namespace ptec::edge {
namespace {

using Sizes = std::vector<Dim>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Operands {
  NodeId query;
  NodeId key;
  NodeId value;
};

NodeId float_mask(const Rewrite& r, NodeId mask, ScalarType type) {
  if (r.b.dtype(mask) != ScalarType::Bool) return mask;
  const NodeId low = scalar_tensor(r, -kInfinity, type);
  return where_number(r, mask, 0.0, low);
}

NodeId causal_mask(const Rewrite& r, const Operands& in, ScalarType type) {
  const Sizes& query = r.b.sizes(in.query);
  const Sizes& key = r.b.sizes(in.key);
  const Argument sizes = r.b.list({query[query.size() - 2], key[key.size() - 2]});
  const NodeId all = r.op("full.default", {sizes, true}, {{"dtype", ScalarType::Bool}});
  return float_mask(r, r.op("tril.default", {all}), type);
}

/// Softmax that gives zeros for a row that is masked as a whole.
NodeId safe_softmax(const Rewrite& r, NodeId scores) {
  const NodeId out = r.op("_softmax.default", {scores, std::int64_t{-1}, false});
  const NodeId masked = r.op("eq.Scalar", {scores, -kInfinity});
  const NodeId rows = r.op("all.dim", {masked, std::int64_t{-1}, true});
  const NodeId zeros = r.op("zeros_like.default", {out});
  return r.op("where.self", {rows, zeros, out});
}

/// Whether torch takes its fused kernel for CPUs, whose trace ends in a copy.
bool is_fused(const Rewrite& r, const Operands& in) {
  const TensorMeta& query = r.meta(in.query);
  const TensorMeta& key = r.meta(in.key);
  const TensorMeta& value = r.meta(in.value);
  if (query.device.type != "cpu") return false;
  for (const TensorMeta* tensor : {&query, &key, &value}) {
    if (tensor->sizes.size() != 4 || !is_number(tensor->strides.back(), 1)) return false;
  }
  for (const std::size_t dim : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    if (query.sizes[dim] != key.sizes[dim] || query.sizes[dim] != value.sizes[dim]) return false;
  }
  return !is_number(query.sizes[2], 0) && !is_number(key.sizes[2], 0);
}

Results attention(const Rewrite& r) {
  const Operands in{r.args.node(0, "query"), r.args.node(1, "key"), r.args.node(2, "value")};
  const bool grouped = r.args.flag_or(r.args.count(), "enable_gqa", false);
  if (r.args.number_or(4, "dropout_p", 0) != 0 || grouped || r.b.rank(in.query) < 2) return {};
  const Dim width = r.b.sizes(in.query).back();
  const bool has_scale = r.args.has(r.args.count(), "scale");
  if (!has_scale && !width.is_number()) return {};
  const double scale = has_scale ? r.args.number(r.args.count(), "scale")
                                 : 1.0 / std::sqrt(static_cast<double>(width.number()));
  if (!(scale > 0)) return {};
  const ScalarType type = r.b.dtype(in.query);
  const bool causal = r.args.flag_or(5, "is_causal", false);
  std::optional<NodeId> mask;
  if (r.args.has(3, "attn_mask")) mask = float_mask(r, r.args.node(3, "attn_mask"), type);
  const NodeId query = r.op("mul.Scalar", {in.query, std::sqrt(scale)});
  if (causal) mask = causal_mask(r, in, type);
  const std::size_t rank = r.b.rank(in.key);
  const NodeId turned = transpose(r, in.key, rank - 2, rank - 1);
  const NodeId key = r.op("mul.Scalar", {turned, std::sqrt(scale)});
  NodeId scores = r.op("matmul.default", {query, key});
  if (mask) scores = r.op("add.Tensor", {scores, *mask});
  const NodeId weights = safe_softmax(r, scores);
  const NodeId out = r.op("matmul.default", {weights, in.value});
  if (!is_fused(r, in)) return {out};
  const NodeId front = r.op("permute.default", {out, Builder::integers({2, 0, 1, 3})});
  const NodeId copy = contiguous(r, front);
  return {r.op("permute.default", {copy, Builder::integers({1, 2, 0, 3})})};
}

constexpr DecomposeRule kRules[] = {
    {"aten::scaled_dot_product_attention.default", attention},
};

}  // namespace

Rows<DecomposeRule> attention_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
