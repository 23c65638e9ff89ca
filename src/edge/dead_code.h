// Nodes and parameters that nothing uses.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct DeadCodeStats {
  int nodes = 0;
  int parameters = 0;
};

/// Erases calls without users (asserts on shapes and metadata included, which only check what the
/// trace assumed; not operators that write in place, nor those of unknown libraries), then
/// parameters without users. Buffers, constants and inputs stay, as in the reference.
DeadCodeStats remove_dead_code(Program& program);
/// Drops the parameters that nothing uses, from the signature too. Buffers stay. Source: ExecuTorch
/// 1.4, exir/passes/remove_unused_parameters_pass.py.
DeadCodeStats remove_unused_parameters(Program& program);

}  // namespace ptec::edge
