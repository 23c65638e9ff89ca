// Convolution, pooling, normalisation, padding and resizing: results in the input's memory format.
#include <algorithm>

#include "ops/infer/inference.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

bool suggests_channels_last(const Inference& in, const TensorMeta& tensor) {
  return is_channels_last(in.program, tensor);
}

TensorMeta in_format_of(const Inference& in,
                        const TensorMeta& like,
                        std::vector<Dim> sizes,
                        bool channels_last) {
  TensorMeta out = contiguous_meta(in, like, like.dtype, std::move(sizes));
  if (channels_last && (out.sizes.size() == 4 || out.sizes.size() == 5))
    out.strides = dense_strides(in.exprs(), out.sizes, channels_last_order(out.sizes.size()));
  return out;
}

std::int64_t at_or_last(const std::vector<std::int64_t>& values,
                        std::size_t index,
                        std::int64_t otherwise) {
  if (values.empty()) return otherwise;
  return values[std::min(index, values.size() - 1)];
}

struct Window {
  std::int64_t kernel, stride, padding, dilation;
  bool ceil;
};

Dim windows(const Inference& in, const Dim& size, const Window& window) {
  ExprPool& exprs = in.exprs();
  const std::int64_t covered = window.dilation * (window.kernel - 1) + 1;
  if (window.stride < 1) fail(ErrorCode::Malformed, "a window with a stride below 1");
  const Dim room = add_dims(exprs, size, 2 * window.padding - covered);
  const Dim rounded = window.ceil ? add_dims(exprs, room, window.stride - 1) : room;
  Dim out = add_dims(exprs, divide_dims(exprs, rounded, window.stride), 1);
  // A last window that would start in the padding is left out.
  if (window.ceil && out.is_number() && size.is_number() &&
      (out.number() - 1) * window.stride >= size.number() + window.padding)
    out = out.number() - 1;
  return out;
}

Value convolution(const Inference& in) {
  const TensorMeta& input = in.args.tensor(0, "input");
  const TensorMeta& weight = in.args.tensor(1, "weight");
  for (std::size_t i = 3; i < 8; ++i) {
    constexpr const char* kNames[] = {
        "stride", "padding", "dilation", "transposed", "output_padding"};
    if (in.args.has_symbol(i, kNames[i - 3])) return not_known();
  }
  const std::vector<std::int64_t> stride = in.args.integers(3, "stride");
  const std::vector<std::int64_t> padding = in.args.integers(4, "padding");
  const std::vector<std::int64_t> dilation = in.args.integers(5, "dilation");
  const bool transposed = in.args.flag_or(6, "transposed", false);
  const std::vector<std::int64_t> extra = in.args.integers(7, "output_padding");
  const std::int64_t groups = in.args.integer_or(8, "groups", 1);
  if (weight.sizes.size() < 3 || weight.sizes.size() != input.sizes.size())
    fail(ErrorCode::Malformed, "a convolution whose input and weight differ in dimensions");
  std::vector<Dim> sizes = {
      input.sizes[0],
      transposed ? multiply_dims(in.exprs(), weight.sizes[1], groups) : weight.sizes[0]};
  for (std::size_t i = 0; i + 2 < input.sizes.size(); ++i) {
    const Dim& kernel_size = weight.sizes[i + 2];
    if (!kernel_size.is_number()) return not_known();
    const Window window{kernel_size.number(),
                        at_or_last(stride, i, 1),
                        at_or_last(padding, i, 0),
                        at_or_last(dilation, i, 1),
                        false};
    if (!transposed) {
      sizes.push_back(windows(in, input.sizes[i + 2], window));
      continue;
    }
    const Dim steps =
        multiply_dims(in.exprs(), add_dims(in.exprs(), input.sizes[i + 2], -1), window.stride);
    sizes.push_back(add_dims(
        in.exprs(),
        steps,
        window.dilation * (window.kernel - 1) + 1 - 2 * window.padding + at_or_last(extra, i, 0)));
  }
  const bool channels_last =
      suggests_channels_last(in, input) || suggests_channels_last(in, weight);
  return tensor_value(in_format_of(in, input, std::move(sizes), channels_last));
}

std::vector<Dim> pooled(const Inference& in, const TensorMeta& input, bool has_dilation) {
  const std::vector<std::int64_t> kernel = in.args.integers(1, "kernel_size");
  const std::vector<std::int64_t> stride = in.args.integers(2, "stride");
  const std::vector<std::int64_t> padding = in.args.integers(3, "padding");
  const std::vector<std::int64_t> dilation =
      has_dilation ? in.args.integers(4, "dilation") : std::vector<std::int64_t>{1};
  const bool ceil = in.args.flag_or(has_dilation ? 5 : 4, "ceil_mode", false);
  if (input.sizes.size() < 3) fail(ErrorCode::Malformed, "pooling of fewer than 3 dimensions");
  std::vector<Dim> sizes = input.sizes;
  for (std::size_t i = 0; i < 2; ++i) {
    Dim& size = sizes[sizes.size() - 2 + i];
    const std::int64_t window = at_or_last(kernel, i, 1);
    size = windows(in,
                   size,
                   {window,
                    at_or_last(stride, i, window),
                    at_or_last(padding, i, 0),
                    at_or_last(dilation, i, 1),
                    ceil});
  }
  return sizes;
}

Value avg_pool2d(const Inference& in) {
  const TensorMeta& input = in.args.tensor(0, "self");
  return tensor_value(
      in_format_of(in, input, pooled(in, input, false), suggests_channels_last(in, input)));
}

Value max_pool2d(const Inference& in) {
  const TensorMeta& input = in.args.tensor(0, "self");
  TensorMeta values =
      in_format_of(in, input, pooled(in, input, true), suggests_channels_last(in, input));
  TensorMeta places = values;
  places.dtype = ScalarType::Int64;
  return list_value({std::move(values), std::move(places)});
}

/// The last two dimensions, or the last one, become what `output_size` says.
Value resized(const Inference& in) {
  const TensorMeta& input = in.args.tensor(0, "self");
  const std::vector<Dim> wanted = in.args.dims(1, "output_size");
  std::vector<Dim> sizes = input.sizes;
  if (wanted.size() > sizes.size()) fail(ErrorCode::Malformed, "resizing more dimensions than are");
  std::copy(wanted.begin(), wanted.end(), sizes.end() - static_cast<std::ptrdiff_t>(wanted.size()));
  return tensor_value(in_format_of(in, input, std::move(sizes), suggests_channels_last(in, input)));
}

Value constant_pad(const Inference& in) {
  const TensorMeta& input = in.args.tensor(0, "self");
  const std::vector<Dim> pad = in.args.dims(1, "pad");
  if (pad.size() % 2 != 0 || pad.size() / 2 > input.sizes.size())
    fail(ErrorCode::Malformed, "padding of more dimensions than there are");
  std::vector<Dim> sizes = input.sizes;
  for (std::size_t i = 0; i < pad.size() / 2; ++i) {
    Dim& size = sizes[sizes.size() - 1 - i];
    size = add_dims(in.exprs(), add_dims(in.exprs(), size, pad[2 * i]), pad[2 * i + 1]);
  }
  return tensor_value(in_format_of(in, input, std::move(sizes), suggests_channels_last(in, input)));
}

Value layer_norm(const Inference& in) {
  const TensorMeta& input = in.args.tensor(0, "input");
  const std::size_t normalized = in.args.dims(1, "normalized_shape").size();
  if (normalized > input.sizes.size())
    fail(ErrorCode::Malformed, "layer_norm over more dimensions than there are");
  std::vector<Dim> sizes = input.sizes;
  std::fill(sizes.end() - static_cast<std::ptrdiff_t>(normalized), sizes.end(), Dim(1));
  const TensorMeta statistics = contiguous_meta(in, input, input.dtype, sizes);
  return list_value({contiguous_meta(in, input, input.dtype, input.sizes), statistics, statistics});
}

Value group_norm(const Inference& in) {
  const TensorMeta& input = in.args.tensor(0, "input");
  const TensorMeta statistics =
      contiguous_meta(in, input, input.dtype, {in.args.dim(3, "N"), in.args.dim(6, "group")});
  TensorMeta out = input;
  out.strides = preserved_strides(in, input);
  out.storage_offset = 0;
  return list_value({std::move(out), statistics, statistics});
}

Value batch_norm(const Inference& in, bool keeps_statistics) {
  const TensorMeta& input = in.args.tensor(0, "input");
  TensorMeta out = input;
  out.strides = pointwise_strides(in.program, {&input}, input.sizes);
  out.storage_offset = 0;
  std::vector<Dim> sizes = {Dim(0)};
  if (keeps_statistics && input.sizes.size() > 1) sizes = {input.sizes[1]};
  const TensorMeta statistics = contiguous_meta(in, input, input.dtype, sizes);
  return list_value({std::move(out), statistics, statistics});
}

Value batch_norm_inference(const Inference& in) { return batch_norm(in, false); }
Value batch_norm_no_stats(const Inference& in) { return batch_norm(in, true); }

Value grid_sampler(const Inference& in) {
  const TensorMeta& input = in.args.tensor(0, "input");
  const TensorMeta& grid = in.args.tensor(1, "grid");
  if (input.sizes.size() != 4 || grid.sizes.size() != 4)
    fail(ErrorCode::Malformed, "grid_sampler_2d of tensors that have not 4 dimensions");
  return tensor_value(contiguous_meta(
      in, input, input.dtype, {input.sizes[0], input.sizes[1], grid.sizes[1], grid.sizes[2]}));
}

constexpr InferRule kRules[] = {
    {"aten::convolution.default", convolution},
    {"aten::avg_pool2d.default", avg_pool2d},
    {"aten::max_pool2d_with_indices.default", max_pool2d},
    {"aten::_adaptive_avg_pool2d.default", resized},
    {"aten::upsample_nearest2d.default", resized},
    {"aten::constant_pad_nd.default", constant_pad},
    {"aten::grid_sampler_2d.default", grid_sampler},
    {"aten::native_layer_norm.default", layer_norm},
    {"aten::native_group_norm.default", group_norm},
    {"aten::_native_batch_norm_legit_no_training.default", batch_norm_inference},
    {"aten::_native_batch_norm_legit.no_stats", batch_norm_no_stats},
};

}  // namespace

Rows<InferRule> spatial_inference() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
