// Pooling.
//
// Source: torch 2.14, aten/src/ATen/native/Pooling.cpp and AdaptiveAveragePooling.cpp.
#include "edge/decompose/rules.h"
#include "ops/layouts.h"

namespace ptec::edge {
namespace {

/// The arguments after the input, without those at the end that are defaults.
std::vector<Argument> given_arguments(const Rewrite& r, std::initializer_list<const char*> names) {
  std::vector<Argument> out;
  std::size_t index = 1;
  for (const char* name : names) out.push_back(r.args.any(index++, name));
  while (!out.empty() && out.back().is_none()) out.pop_back();
  return out;
}

Results max_pool2d(const Rewrite& r) {
  std::vector<Argument> args =
      given_arguments(r, {"kernel_size", "stride", "padding", "dilation", "ceil_mode"});
  args.insert(args.begin(), Argument(r.self()));
  const Results both = r.b.calls("aten::max_pool2d_with_indices.default", std::move(args));
  return {both.at(0)};
}

/// A list for one dimension, for two of which the first has `first`.
Argument for_two(const Argument& value, std::int64_t first) {
  if (value.list() == nullptr) return value;
  if (value.list()->empty()) return value;
  Argument::List out = {Argument(first)};
  out.insert(out.end(), value.list()->begin(), value.list()->end());
  return out;
}

std::vector<Argument> two_dimensional(const Rewrite& r,
                                      std::initializer_list<const char*> names,
                                      std::initializer_list<std::int64_t> first) {
  std::vector<Argument> args = given_arguments(r, names);
  std::size_t at = 0;
  for (const std::int64_t value : first) {
    if (at < args.size()) args[at] = for_two(args[at], value);
    ++at;
  }
  // Without a stride, the windows lie side by side.
  const bool has_stride = args.size() > 1 && !args[1].is_none() &&
                          (args[1].list() == nullptr || !args[1].list()->empty());
  if (!has_stride && !args.empty()) {
    if (args.size() < 2) args.emplace_back(None{});
    args[1] = args[0];
  }
  const NodeId tall = r.op("unsqueeze.default", {r.self(), std::int64_t{-2}});
  args.insert(args.begin(), Argument(tall));
  return args;
}

NodeId without_second_last(const Rewrite& r, NodeId value) {
  return r.op("squeeze.dim", {value, std::int64_t{-2}});
}

Results max_pool1d(const Rewrite& r) {
  std::vector<Argument> args = two_dimensional(
      r, {"kernel_size", "stride", "padding", "dilation", "ceil_mode"}, {1, 1, 0, 1});
  const Results both = r.b.calls("aten::max_pool2d_with_indices.default", std::move(args));
  return {without_second_last(r, both.at(0))};
}

Results max_pool1d_with_indices(const Rewrite& r) {
  std::vector<Argument> args = two_dimensional(
      r, {"kernel_size", "stride", "padding", "dilation", "ceil_mode"}, {1, 1, 0, 1});
  const Results both = r.b.calls("aten::max_pool2d_with_indices.default", std::move(args));
  const NodeId values = without_second_last(r, both.at(0));
  return {values, without_second_last(r, both.at(1))};
}

Results avg_pool1d(const Rewrite& r) {
  std::vector<Argument> args = two_dimensional(
      r, {"kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"}, {1, 1, 0});
  return {without_second_last(r, r.op("avg_pool2d.default", std::move(args)))};
}

NodeId adaptive(const Rewrite& r, NodeId x, const std::vector<Dim>& out) {
  if (is_number(out.at(0), 1) && is_number(out.at(1), 1)) {
    const bool last = is_channels_last(r.b.program(), r.meta(x));
    const NodeId mean = r.op("mean.dim", {x, Builder::integers({-1, -2}), true});
    if (!last) return mean;
    // The mean is contiguous; torch lays it out with channels last again.
    const std::vector<Dim> sizes = r.b.sizes(mean);
    const Argument strides = r.b.list({sizes[1], Dim(1), sizes[1], sizes[1]});
    return r.op("as_strided.default", {mean, r.b.list(sizes), strides});
  }
  return r.op("_adaptive_avg_pool2d.default", {x, r.b.list(out)});
}

Results adaptive_avg_pool2d(const Rewrite& r) {
  const std::vector<Dim> out = r.args.dims(1, "output_size");
  if (out.size() != 2) return {};
  return {adaptive(r, r.self(), out)};
}

Results adaptive_avg_pool1d(const Rewrite& r) {
  const std::vector<Dim> out = r.args.dims(1, "output_size");
  if (out.size() != 1) return {};
  const NodeId tall = r.op("unsqueeze.default", {r.self(), std::int64_t{-2}});
  return {without_second_last(r, adaptive(r, tall, {Dim(1), out[0]}))};
}

constexpr DecomposeRule kRules[] = {
    {"aten::max_pool2d.default", max_pool2d},
    {"aten::max_pool1d.default", max_pool1d},
    {"aten::max_pool1d_with_indices.default", max_pool1d_with_indices},
    {"aten::avg_pool1d.default", avg_pool1d},
    {"aten::adaptive_avg_pool1d.default", adaptive_avg_pool1d},
    {"aten::adaptive_avg_pool2d.default", adaptive_avg_pool2d},
};

}  // namespace

Rows<DecomposeRule> pool_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
