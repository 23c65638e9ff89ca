// Arithmetic on sizes that may be symbolic.
#pragma once

#include <vector>

#include "program/program.h"

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

}  // namespace ptec::edge
