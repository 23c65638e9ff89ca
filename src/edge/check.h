// Everything that keeps a program from being exported, found up front.
#pragma once

#include "program/program.h"

namespace ptec::edge {

struct CheckOptions {
  bool require_kernels = false;  // an operator without a kernel in the stock runtime is a problem
};

/// Throws one Unsupported with a line for every node that the stages below cannot lower: no out
/// form for its operator, arguments that the operator has not, control flow, in-place operators,
/// mutated buffers or inputs, symbolic scalars. After it, lowering and emission cannot fail on the
/// program's operators. Needs decomposed operators; engine calls pass.
void check_exportable(const Program& program, const CheckOptions& options = {});

}  // namespace ptec::edge
