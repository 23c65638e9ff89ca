// The order that the reference gives a graph after it has fused a partition.
#pragma once

#include "ir/program.h"

namespace ptec {

/// Kahn's algorithm with a queue: nodes without inputs in graph order first, then each node's users
/// in use-list order as they become ready. Python operators on sizes, asserts and `scalar_tensor`
/// go to the front of the queue instead. Not stable: work moves towards the top. The order of
/// instructions in a reference .pte follows from it. Source: torch 2.14,
/// torch/fx/passes/utils/fuser_utils.py, `topo_sort` and `legalize_graph`.
void sort_after_fusing(Graph& graph);

}  // namespace ptec
