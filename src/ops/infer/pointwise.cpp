// Operators that compute each element of the result from the elements at the same place.
#include "ops/infer/inference.h"
#include "ops/promotion.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

enum class Type { Promoted, Float, Bool, First };

struct Operands {
  std::vector<const TensorMeta*> tensors;
  std::vector<TypedOperand> types;
};

void add_operand(const Inference& in, Operands& operands, const Argument& argument) {
  const std::optional<TypedOperand> typed = typed_operand(in.program.graph, argument);
  if (!typed) return;
  operands.types.push_back(*typed);
  if (const NodeId* node = argument.node()) {
    if (const TensorMeta* tensor = in.program.graph.at(*node).value.tensor())
      operands.tensors.push_back(tensor);
  }
}

ScalarType computed_type(const Operands& operands, Type type) {
  if (type == Type::Bool) return ScalarType::Bool;
  if (type == Type::First) return operands.tensors.at(0)->dtype;
  return result_type(operands.types,
                     type == Type::Float ? PromotionKind::IntToFloat : PromotionKind::Default);
}

Value result(const Inference& in, const Operands& operands, ScalarType dtype) {
  if (operands.tensors.empty()) fail(ErrorCode::Malformed, "a pointwise operator without a tensor");
  TensorMeta out;
  out.dtype = dtype;
  out.device = operands.tensors[0]->device;
  out.sizes = broadcast_sizes(operands.tensors);
  out.strides =
      pointwise_strides(in.program, operands.tensors, out.sizes, pointwise_ties(in.args.target()));
  return tensor_value(std::move(out));
}

/// The first `count` positional arguments are the operands.
template <Type kType, std::size_t kCount>
Value pointwise(const Inference& in) {
  Operands operands;
  constexpr const char* kNames[] = {"self", "other", "value"};
  for (std::size_t i = 0; i < kCount; ++i) {
    if (const Argument* found = in.args.find(i, kNames[i])) add_operand(in, operands, *found);
  }
  if (operands.tensors.empty()) fail(ErrorCode::Malformed, "a pointwise operator without a tensor");
  return result(in, operands, computed_type(operands, kType));
}

Value div_mode(const Inference& in) {
  return in.args.has(2, "rounding_mode") ? pointwise<Type::Promoted, 2>(in)
                                         : pointwise<Type::Float, 2>(in);
}

Value where(const Inference& in) {
  Operands values;
  add_operand(in, values, in.args.any(1, "self"));
  add_operand(in, values, in.args.any(2, "other"));
  const ScalarType dtype = result_type(values.types);
  Operands all;
  for (std::size_t i = 0; i < 3; ++i) {
    constexpr const char* kNames[] = {"condition", "self", "other"};
    add_operand(in, all, in.args.any(i, kNames[i]));
  }
  return result(in, all, dtype);
}

#define UNARY(name, type) \
  { "aten::" name ".default", pointwise<Type::type, 1> }
#define BINARY(name, type)                               \
  {"aten::" name ".Tensor", pointwise<Type::type, 2>}, { \
    "aten::" name ".Scalar", pointwise<Type::type, 2>    \
  }

constexpr InferRule kRules[] = {
    UNARY("abs", Promoted),
    UNARY("acos", Float),
    UNARY("acosh", Float),
    UNARY("asin", Float),
    UNARY("asinh", Float),
    UNARY("atan", Float),
    UNARY("atanh", Float),
    UNARY("bitwise_not", Promoted),
    UNARY("ceil", Promoted),
    UNARY("cos", Float),
    UNARY("cosh", Float),
    UNARY("elu", Promoted),
    UNARY("erf", Float),
    UNARY("erfc", Float),
    UNARY("erfinv", Float),
    UNARY("exp", Float),
    UNARY("exp2", Float),
    UNARY("expm1", Float),
    UNARY("floor", Promoted),
    UNARY("gelu", Promoted),
    UNARY("hardtanh", Promoted),
    UNARY("isinf", Bool),
    UNARY("isnan", Bool),
    UNARY("leaky_relu", Promoted),
    UNARY("lgamma", Float),
    UNARY("log", Float),
    UNARY("log10", Float),
    UNARY("log1p", Float),
    UNARY("log2", Float),
    UNARY("logical_not", Bool),
    UNARY("neg", Promoted),
    UNARY("reciprocal", Float),
    UNARY("relu", Promoted),
    UNARY("round", Promoted),
    UNARY("rsqrt", Float),
    UNARY("sigmoid", Float),
    UNARY("sign", Promoted),
    UNARY("signbit", Bool),
    UNARY("sin", Float),
    UNARY("sinh", Float),
    UNARY("sqrt", Float),
    UNARY("tan", Float),
    UNARY("tanh", Float),
    UNARY("trunc", Promoted),
    {"aten::atan2.default", pointwise<Type::Float, 2>},
    {"aten::clamp.default", pointwise<Type::Promoted, 3>},
    {"aten::clamp.Tensor", pointwise<Type::Promoted, 3>},
    {"aten::maximum.default", pointwise<Type::Promoted, 2>},
    {"aten::minimum.default", pointwise<Type::Promoted, 2>},
    {"aten::logical_and.default", pointwise<Type::Bool, 2>},
    {"aten::logical_or.default", pointwise<Type::Bool, 2>},
    {"aten::logical_xor.default", pointwise<Type::Bool, 2>},
    {"aten::pow.Tensor_Scalar", pointwise<Type::Promoted, 2>},
    {"aten::pow.Tensor_Tensor", pointwise<Type::Promoted, 2>},
    {"aten::pow.Scalar", pointwise<Type::Promoted, 2>},
    {"aten::bitwise_left_shift.Tensor_Scalar", pointwise<Type::Promoted, 2>},
    {"aten::bitwise_right_shift.Tensor_Scalar", pointwise<Type::Promoted, 2>},
    BINARY("add", Promoted),
    BINARY("sub", Promoted),
    BINARY("mul", Promoted),
    BINARY("div", Float),
    {"aten::div.Tensor_mode", div_mode},
    {"aten::div.Scalar_mode", div_mode},
    BINARY("remainder", Promoted),
    BINARY("fmod", Promoted),
    BINARY("bitwise_and", Promoted),
    BINARY("bitwise_or", Promoted),
    BINARY("bitwise_xor", Promoted),
    BINARY("bitwise_left_shift", Promoted),
    BINARY("bitwise_right_shift", Promoted),
    BINARY("eq", Bool),
    BINARY("ne", Bool),
    BINARY("lt", Bool),
    BINARY("le", Bool),
    BINARY("gt", Bool),
    BINARY("ge", Bool),
    {"aten::where.self", where},
};

#undef UNARY
#undef BINARY

}  // namespace

Rows<InferRule> pointwise_inference() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
