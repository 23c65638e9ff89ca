// Builds expressions in the one form in which the pool keeps them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sym/sym_expr.h"

namespace ptec {

/// An operator applied to expressions of the pool. Sums and products are flattened, their integers
/// gathered into one, and the arguments of commutative operators sorted by content, so that equal
/// texts in any order of terms give one id. `symbol` is the function's name for OpaqueUnary.
ExprId make_expr(ExprPool& pool, ExprOp op, std::vector<ExprId> args, std::string symbol = {});

/// `numerator / denominator` in lowest terms, an Integer when it is one. The denominator is not
/// zero. Nothing when the lowest terms do not fit in 64 bits.
std::optional<ExprId> make_rational(ExprPool& pool,
                                    std::int64_t numerator,
                                    std::int64_t denominator);

/// A number for an expression without symbols that has an integer value, else the expression.
Dim make_dim(const ExprPool& pool, ExprId expr);

}  // namespace ptec
