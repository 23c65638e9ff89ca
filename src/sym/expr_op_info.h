// The table of expr_ops.def, to be looked up.
#pragma once

#include <optional>
#include <string_view>

#include "sym/sym_expr.h"

namespace ptec {

/// What stands behind the underscore of `OpaqueUnaryFn_sqrt` is kept in Expr::symbol.
inline constexpr std::string_view kOpaqueUnaryHead = "OpaqueUnaryFn_";

struct ExprOpInfo {
  ExprOp op;
  std::string_view head;
  int min_arity;
  int max_arity;  // -1: any number
};

const ExprOpInfo& expr_op_info(ExprOp op);
/// `head` must be the whole head; `OpaqueUnaryFn_sqrt` is found as OpaqueUnary.
const ExprOpInfo* find_expr_op(std::string_view head);
bool accepts(const ExprOpInfo& info, std::size_t argument_count);

/// Bare names (`oo`, `true`, ...) are operators without arguments.
std::optional<ExprOp> find_expr_constant(std::string_view name);

}  // namespace ptec
