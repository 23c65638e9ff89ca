// What an operator returns: element type, sizes and strides, from its arguments alone.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace ptec::edge {

/// The value that torch's shape propagation gives the node's target on its arguments, strides
/// included; nothing for an operator without a rule or arguments that its rule does not cover.
/// `X_copy` operators are those of their view `X` with a contiguous result. Throws Malformed or
/// Unsupported when the arguments make no sense. Source: torch 2.14, torch/_meta_registrations.py
/// and aten/src/ATen/TensorIterator.cpp.
std::optional<Value> infer_value(Program& program, const Node& node);

bool can_infer(std::string_view target);

/// Strides with which a tensor can be seen in other sizes of as many elements; nothing when that
/// takes a copy. Source: torch 2.14, aten/src/ATen/TensorUtils.cpp, computeStride.
std::optional<std::vector<Dim>> strides_of_view(Program& program,
                                                const TensorMeta& tensor,
                                                const std::vector<Dim>& sizes);

}  // namespace ptec::edge
