// Normalisation.
//
// Source: torch 2.14, aten/src/ATen/native/{Normalization,layer_norm,group_norm}.cpp and
// torch/_decomp/decompositions.py.
#include <limits>

#include "edge/decompose/rules.h"
#include "ops/layouts.h"

namespace ptec::edge {
namespace {

using Sizes = std::vector<Dim>;

/// Only with running statistics: training changes them.
Results batch_norm(const Rewrite& r) {
  if (r.args.flag_or(5, "training", false)) return {};
  if (!r.args.has(3, "running_mean") || !r.args.has(4, "running_var")) return {};
  const Results all = r.b.calls("aten::_native_batch_norm_legit_no_training.default",
                                {r.args.node(0, "input"),
                                 r.args.any(1, "weight"),
                                 r.args.any(2, "bias"),
                                 r.args.node(3, "running_mean"),
                                 r.args.node(4, "running_var"),
                                 r.args.number_or(6, "momentum", 0.1),
                                 r.args.number_or(7, "eps", 1e-5)});
  return {all.at(0)};
}

Results layer_norm(const Rewrite& r) {
  const Results all = r.b.calls("aten::native_layer_norm.default",
                                {r.args.node(0, "input"),
                                 r.args.any(1, "normalized_shape"),
                                 r.args.any(2, "weight"),
                                 r.args.any(3, "bias"),
                                 r.args.number_or(4, "eps", 1e-5)});
  return {all.at(0)};
}

Results group_norm(const Rewrite& r) {
  NodeId x = r.args.node(0, "input");
  const Sizes sizes = r.b.sizes(x);
  if (sizes.size() < 2) return {};
  Dim area = 1;
  for (std::size_t i = 2; i < sizes.size(); ++i) area = multiply_dims(r.b.exprs(), area, sizes[i]);
  if (!is_channels_last(r.b.program(), r.meta(x))) x = contiguous(r, x);
  const Results all = r.b.calls("aten::native_group_norm.default",
                                {x,
                                 r.args.any(2, "weight"),
                                 r.args.any(3, "bias"),
                                 r.b.size(sizes[0]),
                                 r.b.size(sizes[1]),
                                 r.b.size(area),
                                 r.args.integer(1, "num_groups"),
                                 r.args.number_or(4, "eps", 1e-5)});
  return {all.at(0)};
}

NodeId repeated(const Rewrite& r, NodeId value, const Dim& count) {
  return r.op("repeat.default", {value, Argument::List{r.b.size(count)}});
}

/// Every channel of every image is a channel of one image of its own.
Results instance_norm(const Rewrite& r) {
  if (!r.args.flag_or(5, "use_input_stats", true) || r.args.has(3, "running_mean")) return {};
  const NodeId x = r.args.node(0, "input");
  const Sizes sizes = r.b.sizes(x);
  if (sizes.size() < 3) return {};
  Sizes flat = sizes;
  flat[0] = 1;
  flat[1] = multiply_dims(r.b.exprs(), sizes[0], sizes[1]);
  Argument weight = None{};
  Argument bias = None{};
  if (r.args.has(1, "weight")) weight = repeated(r, r.args.node(1, "weight"), sizes[0]);
  if (r.args.has(2, "bias")) bias = repeated(r, r.args.node(2, "bias"), sizes[0]);
  const NodeId joined = view(r, contiguous(r, x), flat);
  const Results all = r.b.calls("aten::_native_batch_norm_legit.no_stats",
                                {joined,
                                 weight,
                                 bias,
                                 true,
                                 r.args.number_or(6, "momentum", 0.1),
                                 r.args.number_or(7, "eps", 1e-5)});
  return {view(r, all.at(0), sizes)};
}

Results rms_norm(const Rewrite& r) {
  const NodeId given = r.args.node(0, "input");
  const ScalarType type = r.b.dtype(given);
  const bool half = type == ScalarType::Float16 || type == ScalarType::BFloat16;
  const NodeId x = half ? cast(r, given, ScalarType::Float32) : given;
  const double smallest = type == ScalarType::Float64
                              ? std::numeric_limits<double>::epsilon()
                              : static_cast<double>(std::numeric_limits<float>::epsilon());
  const auto rank = static_cast<std::int64_t>(r.b.rank(x));
  std::vector<std::int64_t> dims;
  for (std::size_t i = 0; i < r.args.dims(1, "normalized_shape").size(); ++i)
    dims.push_back(rank - static_cast<std::int64_t>(i) - 1);
  const NodeId power = r.op("pow.Tensor_Scalar", {x, std::int64_t{2}});
  const NodeId mean = r.op("mean.dim", {power, Builder::integers(dims), true});
  const NodeId moved = r.op("add.Scalar", {mean, r.args.number_or(3, "eps", smallest)});
  const NodeId scale = r.op("rsqrt.default", {moved});
  NodeId out = r.op("mul.Tensor", {x, scale});
  if (r.args.has(2, "weight")) out = r.op("mul.Tensor", {out, r.args.node(2, "weight")});
  if (!is_channels_last(r.b.program(), r.meta(given))) out = contiguous(r, out);
  return {cast(r, out, type)};
}

constexpr DecomposeRule kRules[] = {
    {"aten::batch_norm.default", batch_norm},
    {"aten::layer_norm.default", layer_norm},
    {"aten::group_norm.default", group_norm},
    {"aten::instance_norm.default", instance_norm},
    {"aten::rms_norm.default", rms_norm},
};

}  // namespace

Rows<DecomposeRule> norm_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
