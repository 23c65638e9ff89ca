// Nodes and parameters that nothing uses.
#pragma once

#include "program/program.h"

namespace ptec::edge {

struct DeadCodeStats {
  int nodes = 0;
  int parameters = 0;
};

/// Erases calls without users (asserts on shapes and metadata included, which only check what the
/// trace assumed; not operators that write in place, nor those of unknown libraries), then
/// parameters without users. Buffers, constants and inputs stay, as in the reference.
DeadCodeStats remove_dead_code(Program& program);

}  // namespace ptec::edge
