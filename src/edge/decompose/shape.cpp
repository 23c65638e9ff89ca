// Views, and operators that put tensors together.
//
// Source: torch 2.14, aten/src/ATen/native/TensorShape.cpp, torch/_decomp/decompositions.py and
// torch/_refs/__init__.py.
#include <fmt/format.h>

#include <algorithm>

#include "edge/decompose/rules.h"
#include "ops/layouts.h"
#include "support/error.h"
#include "support/limits.h"

namespace ptec::edge {
namespace {

using Sizes = std::vector<Dim>;
using Numbers = std::vector<std::int64_t>;

std::int64_t signed_of(std::size_t value) { return static_cast<std::int64_t>(value); }

Dim missing_size(const Rewrite& r, const Sizes& all, const Dim& count) {
  Dim known = 1;
  for (const Dim& size : all) {
    if (!is_number(size, -1)) known = multiply_dims(r.b.exprs(), known, size);
  }
  return is_number(known, 0) ? Dim(0) : divide_dims(r.b.exprs(), count, known);
}

/// `reshape` writes sizes as they are given where it is a view, and with -1 worked out where it
/// copies.
Results reshape_call(const Rewrite& r) {
  const NodeId x = r.self();
  if (is_contiguous(r.b.program(), r.meta(x)))
    return {r.op("view.default", {x, r.args.any(1, "shape")})};
  Sizes sizes = r.args.dims(1, "shape");
  const Dim count = element_count(r.b.exprs(), r.b.sizes(x));
  for (Dim& size : sizes) {
    if (is_number(size, -1)) size = missing_size(r, sizes, count);
  }
  return {reshape(r, x, sizes)};
}

Results unsafe_view(const Rewrite& r) {
  return {r.op("view.default", {r.self(), r.args.any(1, "size")})};
}

Results view_as(const Rewrite& r) {
  return {view(r, r.self(), r.b.sizes(r.args.node(1, "other")))};
}

Results reshape_as(const Rewrite& r) {
  return {reshape(r, r.self(), r.b.sizes(r.args.node(1, "other")))};
}

Results flatten(const Rewrite& r) {
  const NodeId x = r.self();
  const Sizes old = r.b.sizes(x);
  const std::size_t first = wrapped_dim(r.args.integer_or(1, "start_dim", 0), old.size());
  const std::size_t last = wrapped_dim(r.args.integer_or(2, "end_dim", -1), old.size());
  if (old.empty()) return {reshape(r, x, {Dim(1)})};
  if (first == last) return {x};
  if (first > last) fail(ErrorCode::Malformed, "flatten starts behind its end");
  const auto at = [&](std::size_t i) { return old.begin() + static_cast<std::ptrdiff_t>(i); };
  Sizes sizes(old.begin(), at(first));
  sizes.push_back(element_count(r.b.exprs(), Sizes(at(first), at(last + 1))));
  sizes.insert(sizes.end(), at(last + 1), old.end());
  return {reshape(r, x, sizes)};
}

Results unflatten(const Rewrite& r) {
  const NodeId x = r.self();
  const Sizes old = r.b.sizes(x);
  const std::size_t dim = wrapped_dim(r.args.integer(1, "dim"), old.size());
  Sizes parts = r.args.dims(2, "sizes");
  const Sizes given = parts;
  for (Dim& part : parts) {
    if (is_number(part, -1)) part = missing_size(r, given, old.at(dim));
  }
  Sizes sizes(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(dim));
  sizes.insert(sizes.end(), parts.begin(), parts.end());
  sizes.insert(sizes.end(), old.begin() + static_cast<std::ptrdiff_t>(dim) + 1, old.end());
  return {view(r, x, sizes)};
}

Results transpose_call(const Rewrite& r) {
  const std::size_t rank = r.b.rank(r.self());
  if (rank == 0) return {r.op("alias.default", {r.self()})};
  return {transpose(r,
                    r.self(),
                    wrapped_dim(r.args.integer(1, "dim0"), rank),
                    wrapped_dim(r.args.integer(2, "dim1"), rank))};
}

Results t(const Rewrite& r) {
  if (r.b.rank(r.self()) < 2) return {r.op("alias.default", {r.self()})};
  return {transpose(r, r.self(), 0, 1)};
}

Results mT(const Rewrite& r) {
  const std::size_t rank = r.b.rank(r.self());
  if (rank < 2) return {};
  return {transpose(r, r.self(), rank - 2, rank - 1)};
}

Results numpy_T(const Rewrite& r) {
  Numbers dims = count_up(r.b.rank(r.self()));
  std::reverse(dims.begin(), dims.end());
  return {r.op("permute.default", {r.self(), Builder::integers(dims)})};
}

Results movedim(const Rewrite& r) {
  const std::size_t rank = r.b.rank(r.self());
  const Numbers from = r.args.integers(1, "source");
  const Numbers to = r.args.integers(2, "destination");
  if (from.size() != to.size() || rank == 0) return {};
  Numbers order(rank, -1);
  std::vector<bool> moved(rank, false);
  for (std::size_t i = 0; i < from.size(); ++i) {
    order[wrapped_dim(to[i], rank)] = signed_of(wrapped_dim(from[i], rank));
    moved[wrapped_dim(from[i], rank)] = true;
  }
  std::size_t next = 0;
  for (std::int64_t& place : order) {
    if (place >= 0) continue;
    while (next < rank && moved[next]) ++next;
    if (next == rank) fail(ErrorCode::Malformed, "movedim moves a dimension twice");
    place = signed_of(next++);
  }
  return {r.op("permute.default", {r.self(), Builder::integers(order)})};
}

Results squeeze_all(const Rewrite& r) {
  return {r.op("squeeze.dims", {r.self(), Builder::integers(count_up(r.b.rank(r.self())))})};
}

Results squeeze_dim(const Rewrite& r) {
  return {r.op("squeeze.dims", {r.self(), Builder::integers({r.args.integer(1, "dim")})})};
}

Results expand_as(const Rewrite& r) {
  return {r.op("expand.default", {r.self(), r.b.list(r.b.sizes(r.args.node(1, "other")))})};
}

Results broadcast_to(const Rewrite& r) {
  return {r.op("expand.default", {r.self(), r.args.any(1, "size")})};
}

Results narrow(const Rewrite& r) {
  const std::int64_t dim = r.args.integer(1, "dim");
  const Dim start = r.args.dim(2, "start");
  const Dim length = r.args.dim(3, "length");
  const Dim end = add_dims(r.b.exprs(), start, length);
  return {r.op("slice.Tensor", {r.self(), dim, r.b.size(start), r.b.size(end)})};
}

void require_few(std::int64_t count) {
  if (count <= kMaxPieces) return;
  fail(
      ErrorCode::Limit,
      fmt::format("it gives {} tensors, and at most {} are written one by one", count, kMaxPieces));
}

Results pieces(const Rewrite& r, NodeId x, const Numbers& sizes, std::int64_t dim) {
  std::vector<Argument> args = {x, Builder::integers(sizes)};
  if (dim != 0) args.emplace_back(dim);
  return r.b.calls("aten::split_with_sizes.default", std::move(args));
}

Results split_by(const Rewrite& r, std::int64_t size, std::int64_t dim) {
  const Sizes old = r.b.sizes(r.self());
  const Dim whole = old.at(wrapped_dim(dim, old.size()));
  if (!whole.is_number() || whole.number() == 0 || size < 1) return {};
  require_few(whole.number() / size);
  Numbers sizes;
  for (std::int64_t at = 0; at < whole.number(); at += size)
    sizes.push_back(std::min(size, whole.number() - at));
  return pieces(r, r.self(), sizes, dim);
}

Results split(const Rewrite& r) {
  return split_by(r, r.args.integer(1, "split_size"), r.args.integer_or(2, "dim", 0));
}

Results split_sizes(const Rewrite& r) {
  return pieces(r, r.self(), r.args.integers(1, "split_size"), r.args.integer_or(2, "dim", 0));
}

Results chunk(const Rewrite& r) {
  const std::int64_t dim = r.args.integer_or(2, "dim", 0);
  const std::int64_t chunks = r.args.integer(1, "chunks");
  const Sizes old = r.b.sizes(r.self());
  const Dim whole = old.at(wrapped_dim(dim, old.size()));
  if (!whole.is_number() || chunks < 1) return {};
  return split_by(r, (whole.number() + chunks - 1) / chunks, dim);
}

Results tensor_split(const Rewrite& r) {
  const std::int64_t dim = r.args.integer_or(2, "dim", 0);
  const std::int64_t sections = r.args.integer(1, "sections");
  const Sizes old = r.b.sizes(r.self());
  const Dim whole = old.at(wrapped_dim(dim, old.size()));
  if (!whole.is_number() || sections < 1) return {};
  require_few(sections);
  Results out;
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < sections; ++i) {
    const std::int64_t size = whole.number() / sections + (i < whole.number() % sections ? 1 : 0);
    out.push_back(r.op("slice.Tensor", {r.self(), dim, at, at + size}));
    at += size;
  }
  return out;
}

Results unbind(const Rewrite& r) {
  const NodeId x = r.self();
  const std::int64_t dim = r.args.integer_or(1, "dim", 0);
  const Sizes old = r.b.sizes(x);
  const Dim count = old.at(wrapped_dim(dim, old.size()));
  if (!count.is_number()) return {};
  require_few(count.number());
  Results slices;
  for (std::int64_t i = 0; i < count.number(); ++i)
    slices.push_back(r.op("slice.Tensor", {x, dim, i, i + 1}));
  Results out;
  for (const NodeId slice : slices) out.push_back(r.op("squeeze.dim", {slice, dim}));
  return out;
}

Results stack_of(const Rewrite& r, const Results& parts, std::int64_t dim) {
  const Sizes old = r.b.sizes(parts.at(0));
  const std::size_t at = wrapped_dim(dim, old.size() + 1);
  const auto place = static_cast<std::ptrdiff_t>(at);
  if (at < old.size()) {
    Sizes sizes = old;
    sizes.insert(sizes.begin() + place, Dim(signed_of(parts.size())));
    const NodeId joined = r.op("cat.default", {Builder::tensors(parts), signed_of(at)});
    return {view(r, joined, sizes)};
  }
  Results tall;
  for (const NodeId part : parts) tall.push_back(r.op("unsqueeze.default", {part, signed_of(at)}));
  return {r.op("cat.default", {Builder::tensors(tall), dim})};  // as it was given: maybe negative
}

Results stack(const Rewrite& r) {
  return stack_of(r, r.args.nodes(0, "tensors"), r.args.integer_or(1, "dim", 0));
}

/// Tensors of fewer dimensions get ones in front.
Results at_least(const Rewrite& r, const Results& parts, std::size_t rank) {
  Results out;
  for (const NodeId part : parts) {
    Sizes sizes = r.b.sizes(part);
    if (sizes.size() >= rank) {
      out.push_back(part);
    } else if (sizes.empty()) {
      out.push_back(reshape(r, part, Sizes(rank, Dim(1))));
    } else {
      out.push_back(r.op("unsqueeze.default", {part, std::int64_t{0}}));
    }
  }
  return out;
}

Results hstack(const Rewrite& r) {
  const Results parts = at_least(r, r.args.nodes(0, "tensors"), 1);
  const std::int64_t dim = r.b.rank(parts.at(0)) == 1 ? 0 : 1;
  std::vector<Argument> args = {Builder::tensors(parts)};
  if (dim != 0) args.emplace_back(dim);
  return {r.op("cat.default", std::move(args))};
}

Results vstack(const Rewrite& r) {
  const Results parts = at_least(r, r.args.nodes(0, "tensors"), 2);
  return {r.op("cat.default", {Builder::tensors(parts)})};
}

Results tile(const Rewrite& r) {
  Numbers repeats = r.args.integers(1, "dims");
  const std::size_t rank = r.b.rank(r.self());
  while (repeats.size() < rank) repeats.insert(repeats.begin(), 1);
  return {r.op("repeat.default", {r.self(), Builder::integers(repeats)})};
}

Results repeat_interleave(const Rewrite& r) {
  if (!r.args.has(2, "dim")) return {};
  const NodeId x = r.self();
  const Dim repeats = r.args.dim(1, "repeats");
  const std::size_t dim = wrapped_dim(r.args.integer(2, "dim"), r.b.rank(x));
  const NodeId tall = r.op("unsqueeze.default", {x, signed_of(dim) + 1});
  Sizes sizes = r.b.sizes(tall);
  sizes[dim + 1] = repeats;
  const NodeId wide = r.op("expand.default", {tall, r.b.list(sizes)});
  const NodeId copy = clone_contiguous(r, wide);
  Sizes out = r.b.sizes(x);
  out[dim] = multiply_dims(r.b.exprs(), out[dim], repeats);
  return {view(r, copy, out)};
}

constexpr DecomposeRule kRules[] = {
    {"aten::reshape.default", reshape_call},
    {"aten::_unsafe_view.default", unsafe_view},
    {"aten::view_as.default", view_as},
    {"aten::reshape_as.default", reshape_as},
    {"aten::flatten.using_ints", flatten},
    {"aten::unflatten.int", unflatten},
    {"aten::transpose.int", transpose_call},
    {"aten::t.default", t},
    {"aten::mT.default", mT},
    {"aten::adjoint.default", mT},
    {"aten::numpy_T.default", numpy_T},
    {"aten::movedim.intlist", movedim},
    {"aten::movedim.int", movedim},
    {"aten::squeeze.default", squeeze_all},
    {"aten::squeeze.dim", squeeze_dim},
    {"aten::expand_as.default", expand_as},
    {"aten::broadcast_to.default", broadcast_to},
    {"aten::narrow.default", narrow},
    {"aten::split.Tensor", split},
    {"aten::split.sizes", split_sizes},
    {"aten::chunk.default", chunk},
    {"aten::tensor_split.sections", tensor_split},
    {"aten::unbind.int", unbind},
    {"aten::stack.default", stack},
    {"aten::hstack.default", hstack},
    {"aten::vstack.default", vstack},
    {"aten::tile.default", tile},
    {"aten::repeat_interleave.self_int", repeat_interleave},
};

}  // namespace

Rows<DecomposeRule> shape_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
