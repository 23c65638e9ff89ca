// Views, and copies that keep the elements as they are.
#include <fmt/format.h>

#include <algorithm>

#include "ops/infer.h"
#include "ops/infer/inference.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

Value same(const Inference& in) { return tensor_value(in.args.tensor(0, "self")); }

Value view(const Inference& in) {
  TensorMeta out = in.args.tensor(0, "self");
  std::vector<Dim> sizes = in.args.dims(1, "size");
  infer_size(in, element_count(in.exprs(), out.sizes), sizes);
  const std::optional<std::vector<Dim>> strides = strides_of_view(in.program, out, sizes);
  out.strides = strides ? *strides : plain_strides(in.exprs(), sizes);
  out.sizes = std::move(sizes);
  return tensor_value(std::move(out));
}

Value expand(const Inference& in) {
  TensorMeta out = in.args.tensor(0, "self");
  std::vector<Dim> sizes = in.args.dims(1, "size");
  if (sizes.size() < out.sizes.size()) fail(ErrorCode::Malformed, "expand to fewer dimensions");
  const std::size_t offset = sizes.size() - out.sizes.size();
  std::vector<Dim> strides(sizes.size(), Dim(0));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i < offset) {
      // A new dimension repeats all; torch gives one of size 1 the stride that it would have.
      continue;
    }
    const Dim& old = out.sizes[i - offset];
    if (is_number(sizes[i], -1)) sizes[i] = old;
    if (!is_number(old, 1) || is_number(sizes[i], 1)) strides[i] = out.strides[i - offset];
  }
  for (std::size_t i = offset; i-- > 0;) {
    if (is_number(sizes[i], 1)) {
      strides[i] =
          i + 1 < sizes.size() ? multiply_dims(in.exprs(), sizes[i + 1], strides[i + 1]) : Dim(1);
    }
  }
  out.sizes = std::move(sizes);
  out.strides = std::move(strides);
  return tensor_value(std::move(out));
}

Value permute(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  const std::vector<std::int64_t> dims = in.args.integers(1, "dims");
  if (dims.size() != self.sizes.size())
    fail(ErrorCode::Malformed, "permute names another number of dimensions than there are");
  TensorMeta out = self;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::size_t from = wrapped_dim(dims[i], self.sizes.size());
    out.sizes[i] = self.sizes[from];
    out.strides[i] = self.strides[from];
  }
  return tensor_value(std::move(out));
}

Value transpose(const Inference& in) {
  TensorMeta out = in.args.tensor(0, "self");
  if (out.sizes.empty()) return tensor_value(std::move(out));
  const std::size_t a = wrapped_dim(in.args.integer(1, "dim0"), out.sizes.size());
  const std::size_t b = wrapped_dim(in.args.integer(2, "dim1"), out.sizes.size());
  std::swap(out.sizes[a], out.sizes[b]);
  std::swap(out.strides[a], out.strides[b]);
  return tensor_value(std::move(out));
}

Value t(const Inference& in) {
  TensorMeta out = in.args.tensor(0, "self");
  std::reverse(out.sizes.begin(), out.sizes.end());
  std::reverse(out.strides.begin(), out.strides.end());
  return tensor_value(std::move(out));
}

Value unsqueeze(const Inference& in) {
  TensorMeta out = in.args.tensor(0, "self");
  const auto at =
      static_cast<std::ptrdiff_t>(wrapped_dim(in.args.integer(1, "dim"), out.sizes.size() + 1));
  const std::size_t next = static_cast<std::size_t>(at);
  const Dim stride = next < out.sizes.size()
                         ? multiply_dims(in.exprs(), out.sizes[next], out.strides[next])
                         : Dim(1);
  out.sizes.insert(out.sizes.begin() + at, Dim(1));
  out.strides.insert(out.strides.begin() + at, stride);
  return tensor_value(std::move(out));
}

Value squeezed(TensorMeta meta, const std::vector<bool>& drop) {
  TensorMeta out = meta;
  out.sizes.clear();
  out.strides.clear();
  for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
    if (drop[i] && is_number(meta.sizes[i], 1)) continue;
    out.sizes.push_back(meta.sizes[i]);
    out.strides.push_back(meta.strides[i]);
  }
  return tensor_value(std::move(out));
}

Value squeeze_all(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  return squeezed(self, std::vector<bool>(self.sizes.size(), true));
}

Value squeeze_dims(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  std::vector<bool> drop(std::max<std::size_t>(self.sizes.size(), 1), false);
  for (const std::int64_t dim : in.args.integers(1, "dim"))
    drop[wrapped_dim(dim, self.sizes.size())] = true;
  return squeezed(self, drop);
}

Value select(const Inference& in) {
  TensorMeta out = in.args.tensor(0, "self");
  if (out.sizes.empty()) fail(ErrorCode::Malformed, "select of a tensor without dimensions");
  const auto dim =
      static_cast<std::ptrdiff_t>(wrapped_dim(in.args.integer(1, "dim"), out.sizes.size()));
  const std::size_t at = static_cast<std::size_t>(dim);
  Dim index = in.args.dim(2, "index");
  if (index.is_number() && index.number() < 0) index = add_dims(in.exprs(), index, out.sizes[at]);
  out.storage_offset =
      add_dims(in.exprs(), out.storage_offset, multiply_dims(in.exprs(), index, out.strides[at]));
  out.sizes.erase(out.sizes.begin() + dim);
  out.strides.erase(out.strides.begin() + dim);
  return tensor_value(std::move(out));
}

Value slice(const Inference& in) {
  TensorMeta out = in.args.tensor(0, "self");
  const std::size_t dim = wrapped_dim(in.args.integer_or(1, "dim", 0), out.sizes.size());
  if (in.args.has_symbol(4, "step")) return not_known();
  const std::int64_t step = in.args.integer_or(4, "step", 1);
  if (step < 1 || out.sizes.empty()) fail(ErrorCode::Malformed, "a slice with a step below 1");
  const SliceRange range = slice_range(in.program,
                                       out.sizes[dim],
                                       in.args.dim_or(2, "start", 0),
                                       in.args.dim_or(3, "end", kSliceEnd));
  ExprPool& exprs = in.exprs();
  out.storage_offset =
      add_dims(exprs, out.storage_offset, multiply_dims(exprs, range.start, out.strides[dim]));
  const Dim length = subtract_dims(exprs, range.end, range.start);
  out.sizes[dim] = divide_dims(exprs, add_dims(exprs, length, step - 1), step);
  out.strides[dim] = multiply_dims(exprs, out.strides[dim], step);
  return tensor_value(std::move(out));
}

Value pieces(const Inference& in, std::size_t dim, const std::vector<Dim>& sizes) {
  const TensorMeta& self = in.args.tensor(0, "self");
  std::vector<TensorMeta> out;
  Dim offset = self.storage_offset;
  for (const Dim& size : sizes) {
    TensorMeta& piece = out.emplace_back(self);
    piece.sizes[dim] = size;
    piece.storage_offset = offset;
    offset = add_dims(in.exprs(), offset, multiply_dims(in.exprs(), size, self.strides[dim]));
  }
  return list_value(std::move(out));
}

Value split_with_sizes(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  return pieces(in,
                wrapped_dim(in.args.integer_or(2, "dim", 0), self.sizes.size()),
                in.args.dims(1, "split_sizes"));
}

Value split(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  const std::size_t dim = wrapped_dim(in.args.integer_or(2, "dim", 0), self.sizes.size());
  if (!self.sizes[dim].is_number() || in.args.has_symbol(1, "split_size")) return not_known();
  const std::int64_t size = in.args.integer(1, "split_size");
  if (size < 1) return not_known();
  std::vector<Dim> sizes;
  for (std::int64_t at = 0; at < self.sizes[dim].number(); at += size)
    sizes.emplace_back(std::min(size, self.sizes[dim].number() - at));
  return pieces(in, dim, sizes);
}

Value diagonal(const Inference& in) {
  TensorMeta out = in.args.tensor(0, "self");
  const std::int64_t offset = in.args.integer_or(1, "offset", 0);
  const std::size_t a = wrapped_dim(in.args.integer_or(2, "dim1", 0), out.sizes.size());
  const std::size_t b = wrapped_dim(in.args.integer_or(3, "dim2", 1), out.sizes.size());
  if (out.sizes.size() < 2 || !out.sizes[a].is_number() || !out.sizes[b].is_number())
    return not_known();
  const std::int64_t rows = out.sizes[a].number() + std::min<std::int64_t>(offset, 0);
  const std::int64_t columns = out.sizes[b].number() - std::max<std::int64_t>(offset, 0);
  const std::int64_t length = std::max<std::int64_t>(0, std::min(rows, columns));
  const Dim stride = add_dims(in.exprs(), out.strides[a], out.strides[b]);
  const Dim skipped =
      multiply_dims(in.exprs(), out.strides[offset < 0 ? a : b], offset < 0 ? -offset : offset);
  out.storage_offset = add_dims(in.exprs(), out.storage_offset, skipped);
  for (const std::size_t dim : {std::max(a, b), std::min(a, b)}) {
    out.sizes.erase(out.sizes.begin() + static_cast<std::ptrdiff_t>(dim));
    out.strides.erase(out.strides.begin() + static_cast<std::ptrdiff_t>(dim));
  }
  out.sizes.emplace_back(length);
  out.strides.push_back(stride);
  return tensor_value(std::move(out));
}

Value unfold(const Inference& in) {
  TensorMeta out = in.args.tensor(0, "self");
  const std::size_t dim = wrapped_dim(in.args.integer(1, "dimension"), out.sizes.size());
  const std::int64_t size = in.args.integer(2, "size");
  const std::int64_t step = in.args.integer(3, "step");
  if (out.sizes.empty() || step < 1) fail(ErrorCode::Malformed, "an unfold with a step below 1");
  ExprPool& exprs = in.exprs();
  const Dim stride = out.strides[dim];
  const Dim rest = subtract_dims(exprs, out.sizes[dim], size);
  out.sizes[dim] = add_dims(exprs, divide_dims(exprs, rest, step), 1);
  out.strides[dim] = multiply_dims(exprs, stride, step);
  out.sizes.emplace_back(size);
  out.strides.push_back(stride);
  return tensor_value(std::move(out));
}

Value as_strided(const Inference& in) {
  TensorMeta out = in.args.tensor(0, "self");
  out.sizes = in.args.dims(1, "size");
  out.strides = in.args.dims(2, "stride");
  out.storage_offset = in.args.dim_or(3, "storage_offset", out.storage_offset);
  if (out.sizes.size() != out.strides.size())
    fail(ErrorCode::Malformed, "as_strided with another number of strides than sizes");
  return tensor_value(std::move(out));
}

constexpr InferRule kRules[] = {
    {"aten::alias.default", same},
    {"aten::detach.default", same},
    {"aten::lift_fresh.default", same},
    {"aten::view.default", view},
    {"aten::_unsafe_view.default", view},
    {"aten::expand.default", expand},
    {"aten::permute.default", permute},
    {"aten::transpose.int", transpose},
    {"aten::t.default", t},
    {"aten::unsqueeze.default", unsqueeze},
    {"aten::squeeze.default", squeeze_all},
    {"aten::squeeze.dim", squeeze_dims},
    {"aten::squeeze.dims", squeeze_dims},
    {"aten::select.int", select},
    {"aten::slice.Tensor", slice},
    {"aten::split.Tensor", split},
    {"aten::split_with_sizes.default", split_with_sizes},
    {"aten::diagonal.default", diagonal},
    {"aten::unfold.default", unfold},
    {"aten::as_strided.default", as_strided},
};

}  // namespace

Rows<InferRule> view_inference() { return {kRules, std::size(kRules)}; }

std::optional<std::vector<Dim>> strides_of_view(Program& program,
                                                const TensorMeta& old,
                                                const std::vector<Dim>& sizes) {
  ExprPool& exprs = program.exprs;
  if (is_contiguous(program, old)) return plain_strides(exprs, sizes);
  std::vector<Dim> strides(sizes.size());
  std::size_t view = sizes.size();
  Dim chunk_elements = 1;
  Dim chunk_stride = old.sizes.empty() ? Dim(1) : old.strides.back();
  for (std::size_t dim = old.sizes.size(); dim-- > 0;) {
    chunk_elements = multiply_dims(exprs, chunk_elements, old.sizes[dim]);
    const bool ends =
        dim == 0 || (!is_number(old.sizes[dim - 1], 1) &&
                     old.strides[dim - 1] != multiply_dims(exprs, chunk_elements, chunk_stride));
    if (!ends) continue;
    Dim view_elements = 1;
    while (view > 0 && (view_elements != chunk_elements || is_number(sizes[view - 1], 1))) {
      const Dim next = multiply_dims(exprs, view_elements, sizes[view - 1]);
      if (view_elements.is_number() && chunk_elements.is_number() &&
          view_elements.number() >= chunk_elements.number() && !is_number(sizes[view - 1], 1))
        break;
      strides[view - 1] = multiply_dims(exprs, view_elements, chunk_stride);
      view_elements = next;
      --view;
    }
    if (view_elements != chunk_elements) return std::nullopt;
    if (dim > 0) {
      chunk_elements = 1;
      chunk_stride = old.strides[dim - 1];
    }
  }
  if (view != 0) return std::nullopt;
  return strides;
}

}  // namespace ptec::edge
