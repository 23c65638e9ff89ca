#include "edge/infer/inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "edge/specs.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

std::int64_t example_of(const Inference& in, const Dim& dim) {
  return example_value(in.program, dim).value_or(2);
}

/// An operand's strides seen from the broadcast sizes: 0 where it repeats.
std::vector<std::int64_t> seen_strides(const Inference& in,
                                       const TensorMeta& operand,
                                       const std::vector<Dim>& sizes) {
  std::vector<std::int64_t> strides(sizes.size(), 0);
  const std::size_t offset = sizes.size() - operand.sizes.size();
  for (std::size_t i = 0; i < operand.sizes.size(); ++i) {
    const bool repeats = is_number(operand.sizes[i], 1) && !is_number(sizes[offset + i], 1);
    if (!repeats) strides[offset + i] = example_of(in, operand.strides[i]);
  }
  return strides;
}

/// Whether dimension `inner` belongs outside of `outer` (1), inside (-1), or nothing is known.
int compare_dims(const std::vector<std::vector<std::int64_t>>& strides,
                 const std::vector<std::int64_t>& sizes,
                 std::size_t first,
                 std::size_t second) {
  for (const std::vector<std::int64_t>& operand : strides) {
    const std::int64_t a = operand[first];
    const std::int64_t b = operand[second];
    if (a == 0 || b == 0) continue;
    if (a < b) return -1;
    if (a > b) return 1;
    if (sizes[first] > sizes[second]) return 1;
  }
  return 0;
}

/// Dimensions from the innermost to the outermost, by the strides of all operands.
std::vector<std::size_t> sorted_dims(const std::vector<std::vector<std::int64_t>>& strides,
                                     const std::vector<std::int64_t>& sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  for (std::size_t i = 1; i < order.size(); ++i) {
    std::size_t at = i;
    for (std::size_t below = i; below-- > 0;) {
      const int compared = compare_dims(strides, sizes, order[below], order[at]);
      if (compared > 0) {
        std::swap(order[below], order[at]);
        at = below;
      } else if (compared < 0) {
        break;
      }
    }
  }
  return order;
}

bool same_sizes(const std::vector<const TensorMeta*>& operands) {
  return std::all_of(operands.begin(), operands.end(), [&](const TensorMeta* operand) {
    return operand->sizes == operands[0]->sizes;
  });
}

template <typename Predicate>
bool all(const std::vector<const TensorMeta*>& operands, const Predicate& predicate) {
  return std::all_of(operands.begin(), operands.end(), [&](const TensorMeta* operand) {
    return predicate(*operand);
  });
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
  if (is_contiguous(in.exprs(), like)) return plain_strides(in.exprs(), like.sizes);
  std::vector<std::size_t> order(like.sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return example_of(in, like.strides[a]) > example_of(in, like.strides[b]);
  });
  const std::vector<Dim> dense = ordered_strides(in.exprs(), like.sizes, order);
  const bool gapless = [&] {
    for (std::size_t i = 0; i < dense.size(); ++i) {
      if (!is_number(like.sizes[i], 1) && dense[i] != like.strides[i]) return false;
    }
    return true;
  }();
  if (gapless) return like.strides;
  return pointwise_strides(in, {&like}, like.sizes);
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

std::vector<Dim> pointwise_strides(const Inference& in,
                                   const std::vector<const TensorMeta*>& operands,
                                   const std::vector<Dim>& sizes) {
  ExprPool& exprs = in.exprs();
  if (!operands.empty() && same_sizes(operands)) {
    if (all(operands, [&](const TensorMeta& t) { return is_contiguous(exprs, t); }))
      return plain_strides(exprs, sizes);
    if (all(operands, [&](const TensorMeta& t) { return is_channels_last(exprs, t); }))
      return ordered_strides(exprs, sizes, {0, 2, 3, 1});
  }
  std::vector<std::vector<std::int64_t>> strides;
  for (const TensorMeta* operand : operands) strides.push_back(seen_strides(in, *operand, sizes));
  std::vector<std::int64_t> examples;
  for (const Dim& size : sizes) examples.push_back(example_of(in, size));
  std::vector<std::size_t> order = sorted_dims(strides, examples);
  std::reverse(order.begin(), order.end());
  return ordered_strides(exprs, sizes, order);
}

}  // namespace ptec::edge
