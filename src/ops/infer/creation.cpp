// New tensors, and copies into another type or layout.
#include <cmath>

#include "ops/infer/inference.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

constexpr std::int64_t kContiguous = 1;  // torch.export's numbers of memory formats
constexpr std::int64_t kChannelsLast = 2;

Device device_argument(const Inference& in, const Device& otherwise) {
  for (const NamedArgument& argument : in.args.keywords()) {
    if (const auto* device = std::get_if<Device>(&argument.value.v)) return *device;
  }
  return otherwise;
}

std::vector<Dim> strides_in_format(const Inference& in, const TensorMeta& like) {
  const Argument* format = in.args.find(static_cast<std::size_t>(-1), "memory_format");
  const auto* code = format == nullptr ? nullptr : std::get_if<MemoryFormatCode>(&format->v);
  if (code == nullptr) return preserved_strides(in, like);
  switch (static_cast<std::int64_t>(*code)) {
    case kContiguous:
      return plain_strides(in.exprs(), like.sizes);
    case kChannelsLast:
      if (like.sizes.size() != 4)
        fail(ErrorCode::Malformed, "channels-last needs a tensor of 4 dimensions");
      return dense_strides(in.exprs(), like.sizes, {0, 2, 3, 1});
    default:
      return preserved_strides(in, like);
  }
}

/// A tensor like `self`, in the layout, type and device that the keywords ask for.
Value like(const Inference& in) {
  const TensorMeta& self = in.args.tensor(0, "self");
  TensorMeta out = self;
  out.storage_offset = 0;
  out.strides = strides_in_format(in, self);
  out.dtype = dtype_argument(in, static_cast<std::size_t>(-1)).value_or(self.dtype);
  out.device = device_argument(in, self.device);
  return tensor_value(std::move(out));
}

TensorMeta created(const Inference& in, std::vector<Dim> sizes, ScalarType dtype) {
  TensorMeta out;
  out.dtype = dtype;
  out.strides = plain_strides(in.exprs(), sizes);
  out.sizes = std::move(sizes);
  out.device = device_argument(in, Device{});
  return out;
}

ScalarType type_of_number(const Inference& in, std::size_t index, std::string_view name) {
  const Argument value = in.args.any(index, name);
  if (std::holds_alternative<bool>(value.v)) return ScalarType::Bool;
  if (std::holds_alternative<std::int64_t>(value.v)) return ScalarType::Int64;
  if (const NodeId* node = value.node()) {
    const SymScalar* scalar = in.program.graph.at(*node).value.scalar();
    if (scalar != nullptr && scalar->kind == ScalarKind::Int) return ScalarType::Int64;
    if (scalar != nullptr && scalar->kind == ScalarKind::Bool) return ScalarType::Bool;
  }
  return ScalarType::Float32;
}

constexpr auto kKeyword = static_cast<std::size_t>(-1);  // no positional argument has this place

Value full(const Inference& in) {
  const ScalarType dtype =
      dtype_argument(in, kKeyword).value_or(type_of_number(in, 1, "fill_value"));
  return tensor_value(created(in, in.args.dims(0, "size"), dtype));
}

Value filled(const Inference& in) {  // zeros, ones, empty, rand, randn
  return tensor_value(created(
      in, in.args.dims(0, "size"), dtype_argument(in, kKeyword).value_or(ScalarType::Float32)));
}

Value scalar_tensor(const Inference& in) {
  return tensor_value(created(in, {}, dtype_argument(in, kKeyword).value_or(ScalarType::Float32)));
}

Value arange(const Inference& in) {
  const bool one = in.args.target() == "aten::arange.default";
  const Argument start = one ? Argument(std::int64_t{0}) : in.args.any(0, "start");
  const Argument end = in.args.any(one ? 0 : 1, "end");
  const Argument step = one ? Argument(None{}) : in.args.any(2, "step");
  bool floating = false;
  for (const Argument* value : {&start, &end, &step})
    floating = floating || std::holds_alternative<double>(value->v);
  const ScalarType dtype =
      dtype_argument(in, kKeyword).value_or(floating ? ScalarType::Float32 : ScalarType::Int64);
  if (floating) {
    const double first = one ? 0 : in.args.number(0, "start");
    const double last = in.args.number(one ? 0 : 1, "end");
    const double by = one ? 1 : in.args.number_or(2, "step", 1);
    const double count = std::ceil((last - first) / by);
    if (!(count >= 0 && count < 9e15)) fail(ErrorCode::Malformed, "a range that never ends");
    return tensor_value(created(in, {Dim(static_cast<std::int64_t>(count))}, dtype));
  }
  ExprPool& exprs = in.exprs();
  const Dim first = one ? Dim(0) : in.args.dim(0, "start");
  const Dim last = in.args.dim(one ? 0 : 1, "end");
  const Dim by = one ? Dim(1) : in.args.dim_or(2, "step", 1);
  // Rounding up a quotient is minus rounding down its negative.
  const Dim negative = divide_dims(exprs, subtract_dims(exprs, first, last), by);
  return tensor_value(created(in, {multiply_dims(exprs, negative, -1)}, dtype));
}

constexpr InferRule kRules[] = {
    {"aten::_to_copy.default", like},
    {"aten::clone.default", like},
    {"aten::full_like.default", like},
    {"aten::zeros_like.default", like},
    {"aten::ones_like.default", like},
    {"aten::empty_like.default", like},
    {"aten::fill.Scalar", like},
    {"aten::fill.Tensor", like},
    {"aten::copy.default", like},
    {"aten::full.default", full},
    {"aten::zeros.default", filled},
    {"aten::ones.default", filled},
    {"aten::empty.memory_format", filled},
    {"aten::rand.default", filled},
    {"aten::randn.default", filled},
    {"aten::scalar_tensor.default", scalar_tensor},
    {"aten::arange.default", arange},
    {"aten::arange.start_step", arange},
};

}  // namespace

Rows<InferRule> creation_inference() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
