// Padding.
//
// Source: torch 2.14, aten/src/ATen/native/PadNd.cpp and torch/_decomp/decompositions.py.
#include "edge/decompose/rules.h"
#include "ops/layouts.h"

namespace ptec::edge {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Where each element of a dimension comes from.
using Source = NodeId (*)(const Rewrite&,
                          std::int64_t before,
                          std::int64_t size,
                          std::int64_t after);

NodeId mirrored(const Rewrite& r, std::int64_t before, std::int64_t size, std::int64_t after) {
  const NodeId places = arange(r, -before, size + after, std::nullopt);
  const NodeId distance = r.op("abs.default", {places});
  const NodeId from_end = r.op("sub.Tensor", {size - 1, distance});
  const NodeId folded = r.op("abs.default", {from_end});
  return r.op("sub.Tensor", {size - 1, folded});
}

NodeId repeated(const Rewrite& r, std::int64_t before, std::int64_t size, std::int64_t after) {
  const NodeId places = arange(r, -before, size + after, std::nullopt);
  return r.op("clamp.default", {places, std::int64_t{0}, size - 1});
}

Results padded(const Rewrite& r, const Numbers& padding, Source source) {
  NodeId out = r.self();
  const std::size_t rank = r.b.rank(out);
  const std::size_t count = padding.size() / 2;
  if (count > rank || padding.size() % 2 != 0) return {};
  const std::vector<Dim> sizes = r.b.sizes(out);
  for (std::size_t i = rank - count; i < rank; ++i) {
    if (!sizes[i].is_number()) return {};
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t dim = rank - count + i;
    const std::size_t at = 2 * (count - 1 - i);
    Argument::List index(rank, Argument(None{}));
    index[dim] = source(r, padding[at], sizes[dim].number(), padding[at + 1]);
    out = r.op("index.Tensor", {out, index});
  }
  if (is_channels_last(r.b.program(), r.meta(out))) return {out};
  return {contiguous(r, out)};
}

Results reflection(const Rewrite& r) { return padded(r, r.args.integers(1, "padding"), mirrored); }
Results replication(const Rewrite& r) { return padded(r, r.args.integers(1, "padding"), repeated); }

Results pad(const Rewrite& r) {
  const std::string_view mode = r.args.text_or(2, "mode", "constant");
  if (mode == "constant") {
    const double value = r.args.number_or(3, "value", 0.0);
    return {r.op("constant_pad_nd.default", {r.self(), r.args.any(1, "pad"), value})};
  }
  if (mode == "reflect") return padded(r, r.args.integers(1, "pad"), mirrored);
  if (mode == "replicate") return padded(r, r.args.integers(1, "pad"), repeated);
  return {};
}

constexpr DecomposeRule kRules[] = {
    {"aten::pad.default", pad},
    {"aten::reflection_pad1d.default", reflection},
    {"aten::reflection_pad2d.default", reflection},
    {"aten::reflection_pad3d.default", reflection},
    {"aten::replication_pad1d.default", replication},
    {"aten::replication_pad2d.default", replication},
    {"aten::replication_pad3d.default", replication},
};

}  // namespace

Rows<DecomposeRule> pad_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
