// From a group of nodes to what a delegate call needs.
#pragma once

#include <vector>

#include "partition/partitioner.h"

namespace ptec {

enum class TakeConstants : bool { No, Yes };

/// Inputs as `external_inputs` has them, outputs in graph order: what something outside uses. With
/// `TakeConstants::Yes` the parameters, buffers and constants among the inputs go into the
/// delegate, all but those that the program writes to. `nodes` may be in any order. Source:
/// ExecuTorch 1.4, exir/lowered_backend_module.py and exir/backend/utils.py, `tag_constant_data`.
Partition make_partition(const Program& program, std::vector<NodeId> nodes, TakeConstants take);

}  // namespace ptec
