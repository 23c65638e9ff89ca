// Everything that keeps a program from being exported, found up front.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct CheckOptions {
  bool require_kernels = false;  // an operator without a kernel in the stock runtime is a problem
};

/// Throws one Unsupported with a line for every node that the stages below cannot lower: no out
/// form for its operator, arguments that the operator has not, control flow of another form than
/// control_flow.h knows, engines inside it, in-place operators, mutated parameters. Graphs of
/// control flow are checked like the method's own. After it, lowering and emission cannot fail on
/// the program's operators. Needs decomposed operators; engine calls pass.
void check_exportable(const Program& program, const CheckOptions& options = {});

}  // namespace ptec::edge
