#include "sym/expr_op_info.h"

#include <array>

namespace ptec {
namespace {

constexpr std::array kOps = {
#define PTEC_EXPR_OP(id, head, min_arity, max_arity) \
  ExprOpInfo{ExprOp::id, head, min_arity, max_arity},
#include "sym/expr_ops.def"
#undef PTEC_EXPR_OP
};

constexpr bool rows_are_in_enum_order() {
  for (std::size_t i = 0; i < kOps.size(); ++i) {
    if (static_cast<std::size_t>(kOps[i].op) != i) return false;
  }
  return true;
}
static_assert(rows_are_in_enum_order());

}  // namespace

const ExprOpInfo& expr_op_info(ExprOp op) { return kOps[static_cast<std::size_t>(op)]; }

const ExprOpInfo* find_expr_op(std::string_view head) {
  for (const ExprOpInfo& row : kOps) {
    if (row.op == ExprOp::OpaqueUnary) {
      if (head.size() > row.head.size() && head.starts_with(row.head)) return &row;
    } else if (row.head == head) {
      return &row;
    }
  }
  return nullptr;
}

bool accepts(const ExprOpInfo& info, std::size_t argument_count) {
  if (argument_count < static_cast<std::size_t>(info.min_arity)) return false;
  return info.max_arity < 0 || argument_count <= static_cast<std::size_t>(info.max_arity);
}

std::optional<ExprOp> find_expr_constant(std::string_view name) {
  for (const ExprOp op : {ExprOp::BooleanTrue,
                          ExprOp::BooleanFalse,
                          ExprOp::Infinity,
                          ExprOp::IntInfinity,
                          ExprOp::NotANumber}) {
    if (expr_op_info(op).head == name) return op;
  }
  return std::nullopt;
}

}  // namespace ptec
