// Which values flow into a group of nodes, in the order in which a delegate gets them.
#pragma once

#include <vector>

#include "ir/program.h"

namespace ptec {

/// The nodes outside `nodes` (in graph order) that it reads, each once: in graph order when all of
/// them are placeholders, else in the order in which they are first met. Custom objects do not
/// count. Source: torch 2.14, torch/fx/passes/utils/fuser_utils.py, `fuse_as_graphmodule`.
std::vector<NodeId> external_inputs(const Program& program, const std::vector<NodeId>& nodes);

}  // namespace ptec
