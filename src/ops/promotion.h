// The type in which torch computes an operator over operands of several types.
#pragma once

#include <vector>

#include "ir/program.h"

namespace ptec::edge {

/// torch.promote_types. Throws Unsupported for pairs without an answer (float8).
ScalarType promote_types(ScalarType a, ScalarType b);

/// An operand of a type computation: a tensor's type and rank, or a plain or symbolic number, which
/// counts as less than any tensor of its category.
struct TypedOperand {
  ScalarType dtype = ScalarType::Float32;
  bool is_number = false;
  std::size_t rank = 0;
};

enum class PromotionKind { Default, IntToFloat };

/// The type of the result: tensors with dimensions outrank those without, which outrank numbers; a
/// lower rank only matters when its category (bool, integer, floating, complex) is higher. Source:
/// torch 2.14, torch/_prims_common/__init__.py, elementwise_dtypes.
ScalarType result_type(const std::vector<TypedOperand>& operands,
                       PromotionKind kind = PromotionKind::Default);

/// The operand that an argument is; nothing when it is neither tensor nor number.
std::optional<TypedOperand> typed_operand(const Graph& graph, const Argument& argument);

}  // namespace ptec::edge
