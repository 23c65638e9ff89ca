// Elements in another order, or repeated: flips, rolls, shuffles, grids and diagonals.
//
// Source: torch 2.14, torch/_refs/__init__.py and aten/src/ATen/native/TensorShape.cpp.
#include <algorithm>

#include "edge/decompose/rules.h"

namespace ptec::edge {
namespace {

using Sizes = std::vector<Dim>;
using Numbers = std::vector<std::int64_t>;

std::int64_t signed_of(std::size_t value) { return static_cast<std::int64_t>(value); }

Results fliplr(const Rewrite& r) {
  return {r.op("flip.default", {r.self(), Builder::integers({1})})};
}

Results flipud(const Rewrite& r) {
  return {r.op("flip.default", {r.self(), Builder::integers({0})})};
}

Results pixel_shuffle(const Rewrite& r) {
  const NodeId x = r.self();
  const std::int64_t factor = r.args.integer(1, "upscale_factor");
  const Sizes old = r.b.sizes(x);
  if (old.size() < 3) return {};
  ExprPool& exprs = r.b.exprs();
  const std::size_t lead = old.size() - 3;
  Sizes split(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(lead));
  Sizes out = split;
  const Dim channels = divide_dims(exprs, old[lead], factor * factor);
  split.insert(split.end(), {channels, Dim(factor), Dim(factor), old[lead + 1], old[lead + 2]});
  out.insert(out.end(),
             {channels,
              multiply_dims(exprs, old[lead + 1], factor),
              multiply_dims(exprs, old[lead + 2], factor)});
  Numbers dims = count_up(lead);
  for (const std::size_t offset : {0u, 3u, 1u, 4u, 2u}) dims.push_back(signed_of(lead + offset));
  const NodeId parts = view(r, x, split);
  const NodeId turned = r.op("permute.default", {parts, Builder::integers(dims)});
  const NodeId copy = clone_contiguous(r, turned);
  return {r.op("clone.default", {view(r, copy, out)})};
}

Results pixel_unshuffle(const Rewrite& r) {
  const NodeId x = r.self();
  const std::int64_t factor = r.args.integer(1, "downscale_factor");
  const Sizes old = r.b.sizes(x);
  if (old.size() < 3) return {};
  ExprPool& exprs = r.b.exprs();
  const std::size_t lead = old.size() - 3;
  Sizes split(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(lead));
  Sizes out = split;
  const Dim height = divide_dims(exprs, old[lead + 1], factor);
  const Dim width = divide_dims(exprs, old[lead + 2], factor);
  split.insert(split.end(), {old[lead], height, Dim(factor), width, Dim(factor)});
  out.insert(out.end(), {multiply_dims(exprs, old[lead], factor * factor), height, width});
  Numbers dims = count_up(lead);
  for (const std::size_t offset : {0u, 2u, 4u, 1u, 3u}) dims.push_back(signed_of(lead + offset));
  const NodeId parts = view(r, x, split);
  const NodeId turned = r.op("permute.default", {parts, Builder::integers(dims)});
  const NodeId copy = clone_contiguous(r, turned);
  return {r.op("clone.default", {view(r, copy, out)})};
}

Results broadcast_tensors(const Rewrite& r) {
  const Results parts = r.args.nodes(0, "tensors");
  std::size_t rank = 0;
  for (const NodeId part : parts) rank = std::max(rank, r.b.rank(part));
  Sizes sizes(rank, Dim(1));
  for (const NodeId part : parts) {
    const Sizes& own = r.b.sizes(part);
    for (std::size_t i = 0; i < own.size(); ++i) {
      Dim& out = sizes[rank - own.size() + i];
      if (is_number(out, 1)) out = own[i];
    }
  }
  Results out;
  for (const NodeId part : parts) {
    const bool whole = r.b.sizes(part) == sizes;
    out.push_back(whole ? part : r.op("expand.default", {part, r.b.list(sizes)}));
  }
  return out;
}

/// The last dimension becomes a diagonal: only without an offset, which would pad first.
NodeId diagonal_matrix(const Rewrite& r, NodeId x, std::size_t first, std::size_t second) {
  const Dim size = r.b.sizes(x).back();
  const NodeId tall = unsqueeze(r, x, signed_of(first));
  const std::size_t rank = r.b.rank(tall);
  Numbers order;
  for (std::size_t i = 0; i + 1 < rank; ++i) order.push_back(signed_of(i));
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(second), signed_of(rank - 1));
  const NodeId moved = r.op("permute.default", {tall, Builder::integers(order)});
  const NodeId across = arange(r, std::int64_t{0}, r.b.size(size), ScalarType::Int64);
  const NodeId down = arange(r, std::int64_t{0}, r.b.size(size), ScalarType::Int64);
  const NodeId mask = r.op("eq.Tensor", {across, unsqueeze(r, down, -1)});
  Sizes shape(rank, Dim(1));
  shape[first] = size;
  shape[second] = size;
  return where_or_number(r, view(r, mask, shape), moved, std::int64_t{0});
}

Results diag_embed(const Rewrite& r) {
  const NodeId x = r.self();
  const std::size_t rank = r.b.rank(x) + 1;
  std::size_t first = wrapped_dim(r.args.integer_or(2, "dim1", -2), rank);
  std::size_t second = wrapped_dim(r.args.integer_or(3, "dim2", -1), rank);
  if (rank < 2 || first == second || r.args.integer_or(1, "offset", 0) != 0) return {};
  if (first > second) std::swap(first, second);
  return {diagonal_matrix(r, x, first, second)};
}

Results diag(const Rewrite& r) {
  if (r.b.rank(r.self()) != 1 || r.args.integer_or(1, "diagonal", 0) != 0) return {};
  return {diagonal_matrix(r, r.self(), 0, 1)};
}

Results positive(const Rewrite& r) { return {r.self()}; }

Results channel_shuffle(const Rewrite& r) {
  const NodeId x = r.self();
  const std::int64_t groups = r.args.integer(1, "groups");
  const Sizes old = r.b.sizes(x);
  if (old.size() < 3 || groups < 1) return {};
  Sizes split = {old[0], Dim(groups), divide_dims(r.b.exprs(), old[1], groups)};
  split.insert(split.end(), old.begin() + 2, old.end());
  Numbers dims = count_up(split.size());
  std::swap(dims[1], dims[2]);
  const NodeId parts = view(r, x, split);
  const NodeId turned = r.op("permute.default", {parts, Builder::integers(dims)});
  return {reshape(r, turned, old)};
}

Results rot90(const Rewrite& r) {
  const std::int64_t turns = ((r.args.integer_or(1, "k", 1) % 4) + 4) % 4;
  Numbers dims = r.args.integers(2, "dims");
  if (dims.empty()) dims = {0, 1};
  const std::size_t rank = r.b.rank(r.self());
  if (dims.size() != 2 || rank < 2) return {};
  const std::size_t a = wrapped_dim(dims[0], rank);
  const std::size_t b = wrapped_dim(dims[1], rank);
  if (turns == 0) return {clone_contiguous(r, r.self())};
  if (turns == 2) {
    const Argument both = Builder::integers({signed_of(a), signed_of(b)});
    return {r.op("flip.default", {r.self(), both})};
  }
  const Argument one = Builder::integers({signed_of(turns == 1 ? b : a)});
  return {transpose(r, r.op("flip.default", {r.self(), one}), a, b)};
}

/// Along one dimension: element i comes from i - shift.
NodeId rolled(const Rewrite& r, NodeId x, std::int64_t shift, std::size_t dim) {
  const std::int64_t size = r.b.sizes(x)[dim].number();
  const std::int64_t start = (((size - shift) % size) + size) % size;
  const NodeId places = arange(r, std::int64_t{0}, size, std::nullopt);
  const NodeId moved = r.op("add.Tensor", {places, start});
  const NodeId index = r.op("fmod.Scalar", {moved, size});
  return r.op("index_select.default", {x, signed_of(dim), index});
}

Results roll(const Rewrite& r) {
  const NodeId x = r.self();
  const Sizes sizes = r.b.sizes(x);
  const Numbers shifts = r.args.integers(1, "shifts");
  const Numbers dims = r.args.integers(2, "dims");
  for (const Dim& size : sizes) {
    if (!size.is_number() || size.number() == 0) return {};
  }
  if (dims.empty() && shifts.size() == 1 && !sizes.empty()) {
    const NodeId flat = sizes.size() == 1 ? x : reshape(r, x, {element_count(r.b.exprs(), sizes)});
    return {view(r, rolled(r, flat, shifts[0], 0), sizes)};
  }
  if (dims.size() != shifts.size() || dims.empty()) return {};
  NodeId out = x;
  for (std::size_t i = 0; i < dims.size(); ++i)
    out = rolled(r, out, shifts[i], wrapped_dim(dims[i], sizes.size()));
  return {out};
}

Results meshgrid(const Rewrite& r) {
  if (r.args.text_or(1, "indexing", "ij") != "ij") return {};
  const Results parts = r.args.nodes(0, "tensors");
  Sizes sizes;
  for (const NodeId part : parts) {
    if (r.b.rank(part) > 1) return {};
    sizes.push_back(r.b.rank(part) == 0 ? Dim(1) : r.b.sizes(part)[0]);
  }
  Results out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Argument::List shape(parts.size(), Argument(std::int64_t{1}));
    shape[i] = Argument(std::int64_t{-1});
    const NodeId tall = r.op("view.default", {parts[i], shape});
    out.push_back(r.op("expand.default", {tall, r.b.list(sizes)}));
  }
  return out;
}

constexpr DecomposeRule kRules[] = {
    {"aten::broadcast_tensors.default", broadcast_tensors},
    {"aten::diag.default", diag},
    {"aten::diag_embed.default", diag_embed},
    {"aten::positive.default", positive},
    {"aten::channel_shuffle.default", channel_shuffle},
    {"aten::rot90.default", rot90},
    {"aten::roll.default", roll},
    {"aten::meshgrid.indexing", meshgrid},
    {"aten::meshgrid.default", meshgrid},
    {"aten::fliplr.default", fliplr},
    {"aten::flipud.default", flipud},
    {"aten::pixel_shuffle.default", pixel_shuffle},
    {"aten::pixel_unshuffle.default", pixel_unshuffle},
};

}  // namespace

Rows<DecomposeRule> rearrange_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
