// Operands of several types -> operands of one type.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct PromoteStats {
  int casts = 0;
};

/// Casts the operands of add, sub, mul, div and minimum to the type that torch computes in, with a
/// `_to_copy` before the operator for each operand of another type, in argument order. Numbers must
/// be lifted already. Source: ExecuTorch 1.4, exir/passes/remove_mixed_type_operators.py.
PromoteStats cast_mixed_types(Program& program);

}  // namespace ptec::edge
