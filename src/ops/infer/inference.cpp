#include "ops/infer/inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "support/error.h"

namespace ptec::edge {
namespace {

std::int64_t example_of(const Inference& in, const Dim& dim) {
  return example_value(in.program, dim).value_or(2);
}

}  // namespace

Value tensor_value(TensorMeta meta) {
  Value out;
  out.v = std::move(meta);
  return out;
}

Value list_value(std::vector<TensorMeta> metas) {
  std::vector<ValueItem> items;
  for (TensorMeta& meta : metas) items.emplace_back(std::move(meta));
  Value out;
  out.v = std::move(items);
  return out;
}

TensorMeta contiguous_meta(const Inference& in,
                           const TensorMeta& like,
                           ScalarType dtype,
                           std::vector<Dim> sizes) {
  TensorMeta out;
  out.dtype = dtype;
  out.strides = plain_strides(in.exprs(), sizes);
  out.sizes = std::move(sizes);
  out.device = like.device;
  return out;
}

std::vector<Dim> preserved_strides(const Inference& in, const TensorMeta& like) {
  if (is_contiguous(in.program, like) && !has_channels_last_layout(in.program, like))
    return plain_strides(in.exprs(), like.sizes);
  std::vector<std::size_t> order(like.sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return example_of(in, like.strides[a]) > example_of(in, like.strides[b]);
  });
  const std::vector<Dim> dense = dense_strides(in.exprs(), like.sizes, order);
  const bool gapless = [&] {
    for (std::size_t i = 0; i < dense.size(); ++i) {
      if (!is_number(like.sizes[i], 1) && dense[i] != like.strides[i]) return false;
    }
    return true;
  }();
  if (gapless) return like.strides;
  return pointwise_strides(in.program, {&like}, like.sizes);
}

std::optional<ScalarType> dtype_argument(const Inference& in, std::size_t index) {
  const Argument* found = in.args.find(index, "dtype");
  if (found == nullptr) return std::nullopt;
  const auto* dtype = std::get_if<ScalarType>(&found->v);
  if (dtype == nullptr) {
    fail(ErrorCode::Malformed,
         fmt::format("argument 'dtype' of {} is no element type", in.args.target()));
  }
  return *dtype;
}

void infer_size(const Inference& in, const Dim& count, std::vector<Dim>& sizes) {
  Dim known = 1;
  Dim* missing = nullptr;
  for (Dim& size : sizes) {
    if (is_number(size, -1)) {
      missing = &size;
    } else {
      known = multiply_dims(in.exprs(), known, size);
    }
  }
  if (missing != nullptr) {
    *missing = is_number(known, 0) ? Dim(0) : divide_dims(in.exprs(), count, known);
  } else if (count.is_number() && known.is_number() && count != known) {
    fail(ErrorCode::Malformed,
         fmt::format("a view has {} elements, its tensor {}", known.number(), count.number()));
  }
}

namespace {

Dim bounded(Program& program, const Dim& size, Dim at) {
  ExprPool& exprs = program.exprs;
  if (at.is_number() && at.number() < 0) at = add_dims(exprs, at, size);
  if (at.is_number() && size.is_number())
    return std::clamp<std::int64_t>(at.number(), 0, size.number());
  if (at == size) return at;
  // What the trace found holds for every size in its range, or it had added a guard.
  const std::optional<std::int64_t> place = example_value(program, at);
  const std::optional<std::int64_t> length = example_value(program, size);
  if (at.is_number() && at.number() == kSliceEnd) return size;
  if (!place || !length) return at;
  if (*place < 0) return Dim(0);
  return *place >= *length ? size : at;
}

}  // namespace

SliceRange slice_range(Program& program, const Dim& size, const Dim& start, const Dim& end) {
  SliceRange out{bounded(program, size, start), bounded(program, size, end)};
  if (out.start.is_number() && out.end.is_number() && out.end.number() < out.start.number())
    out.end = out.start;
  return out;
}

std::vector<Dim> broadcast_sizes(const std::vector<const TensorMeta*>& operands) {
  std::size_t rank = 0;
  for (const TensorMeta* operand : operands) rank = std::max(rank, operand->sizes.size());
  std::vector<Dim> sizes(rank, Dim(1));
  for (const TensorMeta* operand : operands) {
    const std::size_t offset = rank - operand->sizes.size();
    for (std::size_t i = 0; i < operand->sizes.size(); ++i) {
      const Dim& size = operand->sizes[i];
      Dim& out = sizes[offset + i];
      if (is_number(size, 1)) continue;
      if (is_number(out, 1)) {
        out = size;
      } else if (size.is_number() && out.is_number() && size != out) {
        fail(ErrorCode::Malformed,
             fmt::format("sizes {} and {} do not broadcast", out.number(), size.number()));
      } else if (size.is_number()) {
        out = size;  // a symbol that meets a number is that number, or the trace had failed
      }
    }
  }
  return sizes;
}

}  // namespace ptec::edge
