// Memory formats -> dim orders.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct DimOrderStats {
  int rewritten = 0;
};

/// `_to_copy`, `clone` and `empty` become the operators of dim_order_ops that say the layout of
/// their result as a list of dims, outermost first; without a memory format it is the operand's.
/// Source: ExecuTorch 1.4, exir/passes/memory_format_ops_pass.py, DimOrderOpsPass.
DimOrderStats use_dim_orders(Program& program);

/// Puts a contiguous copy before each operator whose kernel would refuse an operand's dim order
/// when the program runs, or read it wrong; engines take contiguous operands only. The reference
/// does so for five operators and leaves the rest to fail. Source: ExecuTorch 1.4,
/// exir/passes/legalize_portable_dim_order_pass.py.
DimOrderStats make_operands_contiguous(Program& program);

}  // namespace ptec::edge
