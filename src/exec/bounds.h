// Symbolic sizes -> the largest sizes that can occur.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

/// Replaces every symbolic size and stride of the specs by its upper bound over the symbols'
/// ranges, by interval arithmetic. `dynamic` stays set. Throws one Unsupported with a line for each
/// symbol that has no upper bound: the reference plans such a tensor at the size of the example,
/// which overflows when the program runs with more. Throws Malformed for a bound below 0. Source:
/// ExecuTorch 1.4, exir/passes/sym_shape_eval_pass.py, ConstraintBasedSymShapeEvalPass.
void bound_shapes(Program& program);

}  // namespace ptec::edge
