// Passes on operators, for the graphs of control flow too.
#pragma once

#include <functional>

#include "ir/program.h"

namespace ptec::edge {

/// Runs the pass on the program, and then on each graph of control flow in it as if that were a
/// method: its inputs are user inputs, its results user outputs. Outer graphs come first. The pass
/// may change a graph's nodes, not what it takes and returns; throws Unsupported when it wants to,
/// as for a branch that writes to what it is given.
void in_every_graph(Program& program, const std::function<void(Program&)>& pass);

}  // namespace ptec::edge
