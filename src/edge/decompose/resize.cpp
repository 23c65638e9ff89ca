// Resizing of signals, and sampling.
//
// Source: torch 2.14, torch/_decomp/decompositions.py.
#include <cmath>
#include <limits>

#include "edge/decompose/rules.h"

namespace ptec::edge {
namespace {

/// Sizes before and after, and how far one step of the result goes in the input.
struct Scale {
  std::int64_t in = 0;
  std::int64_t out = 0;
  double step = 1;
};

std::optional<Scale> scale_of(const Rewrite& r, std::size_t factors_at) {
  const std::vector<Dim>& sizes = r.b.sizes(r.args.node(0, "input"));
  if (sizes.size() != 3 || !sizes[2].is_number()) return std::nullopt;
  Scale out;
  out.in = sizes[2].number();
  const Argument factors = r.args.any(factors_at, "scale_factors");
  if (const Argument::List* list = factors.list(); list != nullptr && list->size() == 1) {
    const auto* factor = std::get_if<double>(&list->front().v);
    if (factor == nullptr || !(*factor > 0)) return std::nullopt;
    out.out = static_cast<std::int64_t>(std::floor(static_cast<double>(out.in) * *factor));
    out.step = 1.0 / *factor;
    return out;
  }
  const std::vector<Dim> given = r.args.dims(1, "output_size");
  if (given.size() != 1 || !given[0].is_number() || given[0].number() < 1) return std::nullopt;
  out.out = given[0].number();
  out.step = static_cast<double>(out.in) / static_cast<double>(out.out);
  return out;
}

NodeId picked(const Rewrite& r, NodeId x, NodeId places) {
  return r.op("index.Tensor", {x, Argument::List{None{}, None{}, places}});
}

Results nearest1d(const Rewrite& r) {
  const std::optional<Scale> scale = scale_of(r, 2);
  if (!scale) return {};
  const NodeId steps = arange(r, std::int64_t{0}, scale->out, ScalarType::Float32);
  const NodeId moved = r.op("add.Tensor", {steps, 0.0});
  const NodeId scaled = r.op("mul.Tensor", {moved, scale->step});
  return {picked(r, r.args.node(0, "input"), cast(r, scaled, ScalarType::Int64))};
}

Results linear1d(const Rewrite& r) {
  const NodeId x = r.args.node(0, "input");
  const std::optional<Scale> scale = scale_of(r, 3);
  if (!scale || r.args.flag_or(2, "align_corners", false) || r.b.dtype(x) != ScalarType::Float32)
    return {};
  const NodeId steps = arange(r, std::int64_t{0}, scale->out, std::nullopt);
  const NodeId real = cast(r, steps, ScalarType::Float32);
  const NodeId middle = r.op("add.Tensor", {real, 0.5});
  const NodeId scaled = r.op("mul.Tensor", {middle, scale->step});
  const NodeId moved = r.op("sub.Tensor", {scaled, 0.5});
  const NodeId inside = r.op("clamp.default", {moved, 0.0});
  const NodeId source = view(r, inside, {Dim(scale->out)});
  const NodeId left = cast(r, source, ScalarType::Int64);
  const NodeId next = r.op("add.Tensor", {left, std::int64_t{1}});
  const NodeId right = r.op("clamp.default", {next, None{}, scale->in - 1});
  const NodeId low = picked(r, x, left);
  const NodeId high = picked(r, x, right);
  const NodeId rest = r.op("sub.Tensor", {source, left});
  const NodeId weight = r.op("clamp.default", {rest, 0.0, 1.0});
  const NodeId difference = r.op("sub.Tensor", {high, low});
  const NodeId part = r.op("mul.Tensor", {difference, weight});
  return {r.op("add.Tensor", {low, part})};
}

Results grid_sampler(const Rewrite& r) {
  if (r.b.rank(r.args.node(0, "input")) != 4) return {};
  return {r.op("grid_sampler_2d.default",
               {r.args.node(0, "input"),
                r.args.node(1, "grid"),
                r.args.integer(2, "interpolation_mode"),
                r.args.integer(3, "padding_mode"),
                r.args.flag_or(4, "align_corners", false)})};
}

constexpr DecomposeRule kRules[] = {
    {"aten::upsample_nearest1d.vec", nearest1d},
    {"aten::upsample_linear1d.vec", linear1d},
    {"aten::grid_sampler.default", grid_sampler},
};

}  // namespace

Rows<DecomposeRule> resize_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
