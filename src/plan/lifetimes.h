// From where to where in a graph each tensor is alive.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.h"

namespace ptec::plan {

/// Closed interval of node positions, counted over all nodes of the graph.
struct Lifetime {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

/// Lifetimes by spec id, and the specs that need memory, in the order in which the graph first
/// returns them. Inputs live from position 0, what is returned lives to the end, and an out tensor
/// lives from its alloc node on. A buffer that the program writes to lives all the time. Constants
/// need no memory, and a view lives as what it shows. Needs out form. Source: ExecuTorch 1.4,
/// exir/memory_planning.py, `update_all_tensors_lifetime`.
struct Lifetimes {
  std::vector<Lifetime> of;  // by spec id; meaningless for a spec that no node mentions
  std::vector<SpecId> to_plan;
  std::vector<bool> collected;  // by spec id: has been in `to_plan`
};

/// Of the method's own graph. What the graphs of control flow work with is not in it; results and
/// operands of control flow are.
Lifetimes find_lifetimes(const Program& program);

/// Adds those of a graph of control flow, in positions of its own. `to_plan` becomes that graph's.
void add_lifetimes(const Program& program, const Graph& graph, Lifetimes& lifetimes);

}  // namespace ptec::plan
