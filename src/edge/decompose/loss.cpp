// Losses.
//
// Source: torch 2.14, torch/_decomp/decompositions.py and aten/src/ATen/native/LossNLL.cpp.
#include "edge/decompose/rules.h"

namespace ptec::edge {
namespace {

constexpr std::int64_t kNone = 0;  // torch's numbers of reductions
constexpr std::int64_t kMean = 1;

NodeId reduced(const Rewrite& r, NodeId loss, std::int64_t reduction) {
  if (reduction == kNone) return loss;
  return r.op(reduction == kMean ? "mean.default" : "sum.default", {loss});
}

bool is_single(const Rewrite& r, NodeId a, NodeId b) {
  return r.b.dtype(a) == ScalarType::Float32 && r.b.dtype(b) == ScalarType::Float32;
}

Results mse_loss(const Rewrite& r) {
  const NodeId target = r.args.node(1, "target");
  if (!is_single(r, r.self(), target)) return {};
  const NodeId difference = r.op("sub.Tensor", {r.self(), target});
  const NodeId square = r.op("pow.Tensor_Scalar", {difference, std::int64_t{2}});
  return {reduced(r, square, r.args.integer_or(2, "reduction", kMean))};
}

Results l1_loss(const Rewrite& r) {
  const NodeId difference = r.op("sub.Tensor", {r.self(), r.args.node(1, "target")});
  const NodeId size = r.op("abs.default", {difference});
  return {reduced(r, size, r.args.integer_or(2, "reduction", kMean))};
}

Results smooth_l1_loss(const Rewrite& r) {
  const NodeId target = r.args.node(1, "target");
  if (!is_single(r, r.self(), target)) return {};
  const double beta = r.args.number_or(3, "beta", 1.0);
  const NodeId size = r.op("abs.default", {r.op("sub.Tensor", {r.self(), target})});
  const NodeId small = r.op("lt.Scalar", {size, beta});
  const NodeId square = r.op("pow.Tensor_Scalar", {size, std::int64_t{2}});
  const NodeId half = r.op("mul.Tensor", {square, 0.5});
  const NodeId curved = r.op("div.Tensor", {half, beta});
  const NodeId straight = r.op("sub.Tensor", {size, 0.5 * beta});
  const NodeId loss = r.op("where.self", {small, curved, straight});
  return {reduced(r, loss, r.args.integer_or(2, "reduction", kMean))};
}

Results huber_loss(const Rewrite& r) {
  const NodeId target = r.args.node(1, "target");
  if (!is_single(r, r.self(), target)) return {};
  const double delta = r.args.number_or(3, "delta", 1.0);
  const NodeId size = r.op("abs.default", {r.op("sub.Tensor", {r.self(), target})});
  const NodeId small = r.op("lt.Scalar", {size, delta});
  const NodeId half = r.op("mul.Tensor", {size, 0.5});
  const NodeId curved = r.op("mul.Tensor", {half, size});
  const NodeId shifted = r.op("sub.Tensor", {size, 0.5 * delta});
  const NodeId straight = r.op("mul.Tensor", {shifted, delta});
  const NodeId loss = r.op("where.self", {small, curved, straight});
  return {reduced(r, loss, r.args.integer_or(2, "reduction", kMean))};
}

Results soft_margin_loss(const Rewrite& r) {
  const NodeId negative = r.op("neg.default", {r.self()});
  const NodeId product = r.op("mul.Tensor", {negative, r.args.node(1, "target")});
  const NodeId loss = r.op("log1p.default", {r.op("exp.default", {product})});
  return {reduced(r, loss, r.args.integer_or(2, "reduction", kMean))};
}

Results bce_with_logits(const Rewrite& r) {
  const NodeId target = r.args.node(1, "target");
  if (r.args.has(2, "weight") || r.args.has(3, "pos_weight") || !is_single(r, r.self(), target))
    return {};
  const NodeId rest = r.op("sub.Tensor", {std::int64_t{1}, target});
  const NodeId product = r.op("mul.Tensor", {rest, r.self()});
  const NodeId log = r.op("log_sigmoid.default", {r.self()});
  const NodeId loss = r.op("sub.Tensor", {product, log});
  return {reduced(r, loss, r.args.integer_or(4, "reduction", kMean))};
}

Results kl_div(const Rewrite& r) {
  const NodeId target = r.args.node(1, "target");
  if (r.args.flag_or(3, "log_target", false) || !is_single(r, r.self(), target)) return {};
  const NodeId product = r.op("mul.Tensor", {target, r.self()});
  const NodeId entropy = r.op("xlogy.Tensor", {target, target});
  const NodeId loss = r.op("sub.Tensor", {entropy, product});
  return {reduced(r, loss, r.args.integer_or(2, "reduction", kMean))};
}

/// Of a batch of rows, without weights of classes.
Results nll(
    const Rewrite& r, NodeId scores, NodeId target, std::int64_t reduction, Argument ignored) {
  if (r.b.rank(scores) != 2 || r.b.rank(target) != 1) return {};
  const NodeId used = r.op("ne.Scalar", {target, ignored});
  const NodeId safe = where_or_number(r, used, target, std::int64_t{0});
  const NodeId index = unsqueeze(r, safe, 1);
  const NodeId picked = r.op("gather.default", {scores, std::int64_t{1}, index});
  const NodeId flat = r.op("squeeze.dim", {picked, std::int64_t{1}});
  const NodeId negative = r.op("neg.default", {flat});
  const NodeId again = r.op("ne.Scalar", {target, ignored});
  const NodeId loss = where_or_number(r, again, negative, std::int64_t{0});
  if (reduction == kNone) return {loss};
  if (reduction != kMean) return {r.op("sum.default", {loss})};
  const NodeId counted = r.op("ne.Scalar", {target, ignored});
  const NodeId count = cast(r, r.op("sum.default", {counted}), r.b.dtype(scores));
  const NodeId sum = r.op("sum.default", {loss});
  return {r.op("div.Tensor", {sum, count})};
}

Argument ignored_class(const Rewrite& r) { return r.args.integer_or(4, "ignore_index", -100); }

Results nll_loss(const Rewrite& r) {
  if (r.args.has(2, "weight")) return {};
  return nll(r,
             r.self(),
             r.args.node(1, "target"),
             r.args.integer_or(3, "reduction", kMean),
             ignored_class(r));
}

Results cross_entropy(const Rewrite& r) {
  const NodeId target = r.args.node(1, "target");
  if (r.args.has(2, "weight") || r.args.number_or(5, "label_smoothing", 0) != 0 ||
      r.b.rank(r.self()) != 2 || r.b.rank(target) != 1)
    return {};
  const NodeId scores = r.op("_log_softmax.default", {r.self(), std::int64_t{1}, false});
  return nll(r, scores, target, r.args.integer_or(3, "reduction", kMean), ignored_class(r));
}

constexpr DecomposeRule kRules[] = {
    {"aten::mse_loss.default", mse_loss},
    {"aten::l1_loss.default", l1_loss},
    {"aten::smooth_l1_loss.default", smooth_l1_loss},
    {"aten::huber_loss.default", huber_loss},
    {"aten::soft_margin_loss.default", soft_margin_loss},
    {"aten::binary_cross_entropy_with_logits.default", bce_with_logits},
    {"aten::kl_div.default", kl_div},
    {"aten::nll_loss_nd.default", nll_loss},
    {"aten::nll_loss.default", nll_loss},
    {"aten::cross_entropy_loss.default", cross_entropy},
};

}  // namespace

Rows<DecomposeRule> loss_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
