// Arithmetic on sizes that may be symbolic.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.h"

namespace ptec::edge {

/// Throws Limit when a number passes 63 bits.
Dim add_dims(ExprPool& exprs, const Dim& a, const Dim& b);
Dim subtract_dims(ExprPool& exprs, const Dim& a, const Dim& b);
Dim multiply_dims(ExprPool& exprs, const Dim& a, const Dim& b);
/// Rounds down; throws Malformed for a divisor 0.
Dim divide_dims(ExprPool& exprs, const Dim& a, const Dim& b);
Dim element_count(ExprPool& exprs, const std::vector<Dim>& sizes);

bool is_number(const Dim& dim, std::int64_t number);

/// Strides of a tensor without gaps, last dimension innermost. Throws Limit.
std::vector<Dim> plain_strides(ExprPool& exprs, const std::vector<Dim>& sizes);

/// The value of a size or stride in the traced example; nothing when the archive does not tell.
std::optional<std::int64_t> example_value(const Program& program, const Dim& dim);

}  // namespace ptec::edge
