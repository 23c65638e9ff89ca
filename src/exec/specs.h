// From what a trace knows of a tensor to what the runtime is told.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

/// Gives every tensor a TensorSpec: one a node, one an element of a list result, which its getitem
/// shares. Parameters, constants and buffers that nothing writes to become constant specs. Dim
/// order is the dims sorted by stride, largest first, ties in order; symbolic strides count with
/// their value in the example. Source: ExecuTorch 1.4, exir/passes/spec_prop_pass.py. Throws
/// Unsupported for a rank over 16 and for element types that a .pte has not, naming the node.
void make_specs(Program& program);

}  // namespace ptec::edge
