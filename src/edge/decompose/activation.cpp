// Activation functions.
//
// Source: torch 2.14, torch/_decomp/decompositions.py and torch/_refs/nn/functional/__init__.py.
#include "edge/decompose/rules.h"

namespace ptec::edge {
namespace {

Results silu(const Rewrite& r) {
  const Elementwise cast(r, {r.self()}, Elementwise::Kind::IntToFloat);
  const NodeId x = cast.in(r.self());
  const NodeId gate = r.op("sigmoid.default", {x});
  return {cast.out(r.op("mul.Tensor", {x, gate}))};
}

NodeId six_clamped(const Rewrite& r, NodeId x) {
  const NodeId shifted = r.op("add.Tensor", {x, std::int64_t{3}});
  const NodeId positive = r.op("clamp.default", {shifted, std::int64_t{0}});
  return r.op("clamp.default", {positive, None{}, std::int64_t{6}});
}

Results hardswish(const Rewrite& r) {
  const Elementwise cast(r, {r.self()}, Elementwise::Kind::IntToFloat);
  const NodeId x = cast.in(r.self());
  const NodeId gate = six_clamped(r, x);
  const NodeId product = r.op("mul.Tensor", {x, gate});
  return {cast.out(r.op("div.Tensor", {product, std::int64_t{6}}))};
}

Results hardsigmoid(const Rewrite& r) {
  const Elementwise cast(r, {r.self()}, Elementwise::Kind::IntToFloat);
  const NodeId gate = six_clamped(r, cast.in(r.self()));
  return {cast.out(r.op("div.Tensor", {gate, std::int64_t{6}}))};
}

Results relu6(const Rewrite& r) {
  return {r.op("hardtanh.default", {r.self(), std::int64_t{0}, std::int64_t{6}})};
}

Results selu(const Rewrite& r) {
  return {r.op("elu.default", {r.self(), 1.6732632423543772, 1.0507009873554805})};
}

Results celu(const Rewrite& r) {
  const Elementwise cast(r, {r.self()}, Elementwise::Kind::IntToFloat);
  const NodeId x = cast.in(r.self());
  const double alpha = r.args.number_or(1, "alpha", 1.0);
  NodeId rest = x;
  if (alpha != 1.0) {
    const NodeId scaled = r.op("div.Tensor", {x, alpha});
    const NodeId power = r.op("expm1.default", {scaled});
    rest = r.op("mul.Tensor", {power, alpha});
  } else {
    rest = r.op("expm1.default", {x});
  }
  const NodeId positive = r.op("gt.Scalar", {x, std::int64_t{0}});
  return {cast.out(r.op("where.self", {positive, x, rest}))};
}

/// log(1 + exp(beta x)) / beta, x itself where it is large.
NodeId softplus_of(const Rewrite& r, NodeId x, const Argument& beta, Argument threshold) {
  const bool plain =
      (std::holds_alternative<std::int64_t>(beta.v) && std::get<std::int64_t>(beta.v) == 1) ||
      (std::holds_alternative<double>(beta.v) && std::get<double>(beta.v) == 1.0);
  NodeId scaled = x;
  if (!plain) scaled = r.op("mul.Tensor", {x, beta});
  const NodeId power = r.op("exp.default", {scaled});
  NodeId rest = r.op("log1p.default", {power});
  if (!plain) rest = r.op("div.Tensor", {rest, beta});
  const NodeId large = r.op("gt.Scalar", {scaled, std::move(threshold)});
  return r.op("where.self", {large, x, rest});
}

Results softplus(const Rewrite& r) {
  const Elementwise cast(r, {r.self()}, Elementwise::Kind::IntToFloat);
  Argument beta = r.args.any(1, "beta");
  Argument threshold = r.args.any(2, "threshold");
  if (beta.is_none()) beta = std::int64_t{1};
  if (threshold.is_none()) threshold = std::int64_t{20};
  return {cast.out(softplus_of(r, cast.in(r.self()), beta, threshold))};
}

Results mish(const Rewrite& r) {
  const Elementwise cast(r, {r.self()}, Elementwise::Kind::IntToFloat);
  const NodeId x = cast.in(r.self());
  const NodeId plus = softplus_of(r, x, std::int64_t{1}, std::int64_t{20});
  const NodeId gate = r.op("tanh.default", {plus});
  return {cast.out(r.op("mul.Tensor", {x, gate}))};
}

Results hardshrink(const Rewrite& r) {
  const Elementwise cast(r, {r.self()});
  const NodeId x = cast.in(r.self());
  const NodeId size = r.op("abs.default", {x});
  const NodeId small = r.op("le.Scalar", {size, r.args.number_or(1, "lambd", 0.5)});
  return {cast.out(where_number(r, small, std::int64_t{0}, x))};
}

Results softshrink(const Rewrite& r) {
  const Elementwise cast(r, {r.self()});
  const NodeId x = cast.in(r.self());
  const double lambda = r.args.number_or(1, "lambd", 0.5);
  const NodeId size = r.op("abs.default", {x});
  const NodeId large = r.op("gt.Scalar", {size, lambda});
  const NodeId sign = r.op("sign.default", {x});
  const NodeId step = r.op("mul.Tensor", {sign, lambda});
  const NodeId shrunk = r.op("sub.Tensor", {x, step});
  const NodeId zero = r.op("mul.Tensor", {x, std::int64_t{0}});
  return {cast.out(r.op("where.self", {large, shrunk, zero}))};
}

Results log_sigmoid(const Rewrite& r) {
  const Elementwise cast(r, {r.self()});
  const NodeId x = cast.in(r.self());
  const NodeId zero =
      r.op("full.default", {Argument::List{}, std::int64_t{0}}, {{"dtype", r.b.dtype(x)}});
  const NodeId low = r.op("minimum.default", {zero, x});
  const NodeId size = r.op("abs.default", {x});
  const NodeId negative = r.op("neg.default", {size});
  const NodeId power = r.op("exp.default", {negative});
  const NodeId log = r.op("log1p.default", {power});
  return {cast.out(r.op("sub.Tensor", {low, log}))};
}

Results threshold(const Rewrite& r) {
  const Elementwise cast(r, {r.self()});
  const NodeId x = cast.in(r.self());
  const NodeId below = r.op("le.Scalar", {x, r.args.any(1, "threshold")});
  return {cast.out(where_number(r, below, r.args.any(2, "value"), x))};
}

Results prelu(const Rewrite& r) {
  const NodeId x = r.self();
  NodeId weight = r.args.node(1, "weight");
  if (r.b.rank(x) < 2 || r.b.rank(weight) != 1) return {};
  std::vector<Dim> sizes(r.b.rank(x), Dim(1));
  sizes[1] = r.b.sizes(weight)[0];
  weight = reshape(r, weight, sizes);
  const NodeId positive = r.op("gt.Scalar", {x, std::int64_t{0}});
  const NodeId scaled = r.op("mul.Tensor", {weight, x});
  return {r.op("where.self", {positive, x, scaled})};
}

Results glu(const Rewrite& r) {
  const NodeId x = r.self();
  const std::size_t dim = wrapped_dim(r.args.integer_or(1, "dim", -1), r.b.rank(x));
  const Dim size = r.b.sizes(x).at(dim);
  if (!size.is_number()) return {};
  const auto axis = static_cast<std::int64_t>(dim);
  const std::int64_t half = size.number() / 2;
  const Elementwise cast(r, {x}, Elementwise::Kind::IntToFloat);
  const NodeId in = cast.in(x);
  const NodeId a = r.op("slice.Tensor", {in, axis, std::int64_t{0}, half});
  const NodeId b = r.op("slice.Tensor", {in, axis, half, 2 * half});
  const NodeId gate = r.op("sigmoid.default", {b});
  return {cast.out(r.op("mul.Tensor", {a, gate}))};
}

Results softmax_as(const Rewrite& r, std::string_view name) {
  NodeId x = r.self();
  const Argument* wanted = r.args.find(2, "dtype");
  const auto* dtype = wanted == nullptr ? nullptr : std::get_if<ScalarType>(&wanted->v);
  // Half computed in float on a CPU is a cast first; only a GPU has a kernel for both at once.
  if (dtype != nullptr) x = cast(r, x, *dtype);
  return {r.op(name, {x, r.args.integer(1, "dim"), false})};
}

Results softmax(const Rewrite& r) { return softmax_as(r, "_softmax.default"); }
Results log_softmax(const Rewrite& r) { return softmax_as(r, "_log_softmax.default"); }

constexpr DecomposeRule kRules[] = {
    {"aten::silu.default", silu},
    {"aten::hardswish.default", hardswish},
    {"aten::hardsigmoid.default", hardsigmoid},
    {"aten::relu6.default", relu6},
    {"aten::selu.default", selu},
    {"aten::celu.default", celu},
    {"aten::softplus.default", softplus},
    {"aten::mish.default", mish},
    {"aten::hardshrink.default", hardshrink},
    {"aten::softshrink.default", softshrink},
    {"aten::log_sigmoid.default", log_sigmoid},
    {"aten::threshold.default", threshold},
    {"aten::prelu.default", prelu},
    {"aten::glu.default", glu},
    {"aten::softmax.int", softmax},
    {"aten::log_softmax.int", log_softmax},
};

}  // namespace

Rows<DecomposeRule> activation_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
