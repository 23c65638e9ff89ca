// Convolutions of every rank are one operator.
//
// Source: torch 2.14, aten/src/ATen/native/Convolution.cpp.
#include "edge/decompose/rules.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

using Numbers = std::vector<std::int64_t>;

/// One number for every spatial dimension when only one is given.
Numbers spread(Numbers values, std::size_t count, std::int64_t otherwise) {
  if (values.empty()) values.push_back(otherwise);
  if (values.size() == 1) values.assign(count, values[0]);
  return values;
}

struct Shape {
  Numbers stride, padding, dilation, output_padding;
  std::int64_t groups = 1;
  bool transposed = false;
};

/// A single image without a batch gets one for the time being.
Results convolve(const Rewrite& r, std::size_t spatial, const Shape& shape) {
  NodeId input = r.args.node(0, "input");
  const bool single = r.b.rank(input) == spatial + 1;
  if (single) input = r.op("unsqueeze.default", {input, std::int64_t{0}});
  const NodeId out = r.op("convolution.default",
                          {input,
                           r.args.node(1, "weight"),
                           r.args.any(2, "bias"),
                           Builder::integers(shape.stride),
                           Builder::integers(shape.padding),
                           Builder::integers(shape.dilation),
                           shape.transposed,
                           Builder::integers(shape.output_padding),
                           shape.groups});
  if (!single) return {out};
  return {r.op("squeeze.dim", {out, std::int64_t{0}})};
}

Results conv(const Rewrite& r, std::size_t spatial) {
  Shape shape;
  shape.stride = spread(r.args.integers(3, "stride"), spatial, 1);
  shape.padding = spread(r.args.integers(4, "padding"), spatial, 0);
  shape.dilation = spread(r.args.integers(5, "dilation"), spatial, 1);
  shape.output_padding = Numbers(spatial, 0);
  shape.groups = r.args.integer_or(6, "groups", 1);
  return convolve(r, spatial, shape);
}

/// Padding by name; "same" with an uneven sum pads one side first, which this leaves alone.
Results conv_named(const Rewrite& r, std::size_t spatial) {
  const std::string_view name = r.args.text_or(4, "padding", "valid");
  Shape shape;
  shape.stride = spread(r.args.integers(3, "stride"), spatial, 1);
  shape.dilation = spread(r.args.integers(5, "dilation"), spatial, 1);
  shape.output_padding = Numbers(spatial, 0);
  shape.padding = Numbers(spatial, 0);
  shape.groups = r.args.integer_or(6, "groups", 1);
  const std::vector<Dim> kernel = r.b.sizes(r.args.node(1, "weight"));
  if (kernel.size() != spatial + 2) return {};
  for (std::size_t i = 0; i < spatial && name == "same"; ++i) {
    if (!kernel[i + 2].is_number()) return {};
    const std::int64_t total = shape.dilation[i] * (kernel[i + 2].number() - 1);
    if (total % 2 != 0) return {};
    shape.padding[i] = total / 2;
  }
  return convolve(r, spatial, shape);
}

Results conv_transposed(const Rewrite& r, std::size_t spatial) {
  Shape shape;
  shape.stride = spread(r.args.integers(3, "stride"), spatial, 1);
  shape.padding = spread(r.args.integers(4, "padding"), spatial, 0);
  shape.output_padding = spread(r.args.integers(5, "output_padding"), spatial, 0);
  shape.groups = r.args.integer_or(6, "groups", 1);
  shape.dilation = spread(r.args.integers(7, "dilation"), spatial, 1);
  shape.transposed = true;
  return convolve(r, spatial, shape);
}

template <std::size_t kSpatial>
Results plain(const Rewrite& r) {
  return conv(r, kSpatial);
}
template <std::size_t kSpatial>
Results named(const Rewrite& r) {
  return conv_named(r, kSpatial);
}
template <std::size_t kSpatial>
Results transposed(const Rewrite& r) {
  return conv_transposed(r, kSpatial);
}

constexpr DecomposeRule kRules[] = {
    {"aten::conv1d.default", plain<1>},
    {"aten::conv2d.default", plain<2>},
    {"aten::conv3d.default", plain<3>},
    {"aten::conv1d.padding", named<1>},
    {"aten::conv2d.padding", named<2>},
    {"aten::conv3d.padding", named<3>},
    {"aten::conv_transpose1d.default", transposed<1>},
    {"aten::conv_transpose2d.input", transposed<2>},
    {"aten::conv_transpose3d.input", transposed<3>},
};

}  // namespace

Rows<DecomposeRule> convolution_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
