#include "ops/promotion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "support/error.h"

namespace ptec::edge {
namespace {

enum class Category { Bool, Integer, Floating, Complex };

Category category_of(ScalarType type) {
  if (type == ScalarType::Bool) return Category::Bool;
  if (is_complex(type)) return Category::Complex;
  return is_floating(type) ? Category::Floating : Category::Integer;
}

bool is_unsigned(ScalarType type) {
  return type == ScalarType::UInt8 || type == ScalarType::UInt16 || type == ScalarType::UInt32 ||
         type == ScalarType::UInt64;
}

bool is_float8(ScalarType type) { return is_floating(type) && info(type).size_bytes == 1; }

[[noreturn]] void refuse(ScalarType a, ScalarType b) {
  fail(ErrorCode::Unsupported,
       fmt::format(
           "torch has no common type for {} and {}; cast one of them", info(a).name, info(b).name));
}

ScalarType promote_integers(ScalarType a, ScalarType b) {
  if (is_unsigned(a) == is_unsigned(b)) return info(a).size_bytes > info(b).size_bytes ? a : b;
  const ScalarType with_sign = is_unsigned(a) ? b : a;
  const ScalarType without = is_unsigned(a) ? a : b;
  if (without != ScalarType::UInt8) refuse(a, b);  // torch refuses the wider unsigned ones
  return with_sign == ScalarType::Int8 ? ScalarType::Int16 : with_sign;
}

ScalarType promote_floats(ScalarType a, ScalarType b) {
  if (is_float8(a) || is_float8(b)) refuse(a, b);
  if (info(a).size_bytes != info(b).size_bytes)
    return info(a).size_bytes > info(b).size_bytes ? a : b;
  return ScalarType::Float32;  // half and bfloat16
}

ScalarType complex_of(ScalarType type) {
  if (type == ScalarType::Float64) return ScalarType::Complex128;
  return type == ScalarType::Float16 ? ScalarType::Complex32 : ScalarType::Complex64;
}

ScalarType default_of(Category category) {
  switch (category) {
    case Category::Bool:
      return ScalarType::Bool;
    case Category::Integer:
      return ScalarType::Int64;
    case Category::Floating:
      return ScalarType::Float32;
    case Category::Complex:
      return ScalarType::Complex64;
  }
  return ScalarType::Float32;
}

std::optional<ScalarType> promoted(std::optional<ScalarType> so_far, ScalarType type) {
  return so_far ? promote_types(*so_far, type) : type;
}

}  // namespace

ScalarType promote_types(ScalarType a, ScalarType b) {
  if (a == b) return a;
  const Category category_a = category_of(a);
  const Category category_b = category_of(b);
  if (category_a == category_b) {
    switch (category_a) {
      case Category::Bool:
        return a;
      case Category::Integer:
        return promote_integers(a, b);
      case Category::Floating:
        return promote_floats(a, b);
      case Category::Complex:
        return info(a).size_bytes > info(b).size_bytes ? a : b;
    }
  }
  const ScalarType higher = category_a > category_b ? a : b;
  const ScalarType lower = category_a > category_b ? b : a;
  if (is_float8(higher) || is_float8(lower)) refuse(a, b);
  if (category_of(higher) == Category::Complex && category_of(lower) == Category::Floating)
    return promote_types(higher, complex_of(lower));
  return higher;
}

ScalarType result_type(const std::vector<TypedOperand>& operands, PromotionKind kind) {
  // With dimensions, without, numbers: each only matters when its category is above those before.
  std::array<std::optional<ScalarType>, 3> ranked;
  for (const TypedOperand& operand : operands) {
    const std::size_t level = operand.is_number ? 2 : (operand.rank == 0 ? 1 : 0);
    ranked[level] = promoted(ranked[level], operand.dtype);
  }
  std::optional<ScalarType> result;
  for (std::size_t level = 0; level < ranked.size(); ++level) {
    if (!ranked[level]) continue;
    if (result && category_of(*ranked[level]) <= category_of(*result)) continue;
    // A number only brings its category; torch takes the category's default type for it.
    result = level == 2 ? default_of(category_of(*ranked[level])) : *ranked[level];
  }
  PTEC_INVARIANT(result.has_value(), "a type computation without operands");
  if (kind == PromotionKind::IntToFloat && category_of(*result) < Category::Floating)
    return ScalarType::Float32;
  return *result;
}

std::optional<TypedOperand> typed_operand(const Graph& graph, const Argument& argument) {
  if (const NodeId* node = argument.node()) {
    const Value& value = graph.at(*node).value;
    if (const TensorMeta* tensor = value.tensor())
      return TypedOperand{tensor->dtype, false, tensor->sizes.size()};
    const SymScalar* scalar = value.scalar();
    if (scalar == nullptr) return std::nullopt;
    switch (scalar->kind) {
      case ScalarKind::Int:
        return TypedOperand{ScalarType::Int64, true, 0};
      case ScalarKind::Float:
        return TypedOperand{ScalarType::Float32, true, 0};
      case ScalarKind::Bool:
        return TypedOperand{ScalarType::Bool, true, 0};
    }
  }
  if (std::holds_alternative<bool>(argument.v)) return TypedOperand{ScalarType::Bool, true, 0};
  if (std::holds_alternative<std::int64_t>(argument.v))
    return TypedOperand{ScalarType::Int64, true, 0};
  if (std::holds_alternative<double>(argument.v)) return TypedOperand{ScalarType::Float32, true, 0};
  return std::nullopt;
}

}  // namespace ptec::edge
