// Operators that do nothing -> what they are given.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct NoOpStats {
  int removed = 0;
};

/// A `slice_copy` of static size that keeps its operand whole, and then every `_to_copy` that
/// changes neither type nor layout, give way to their operand; `cat` loses operands without
/// elements. Source: ExecuTorch 1.4, exir/passes/remove_noop_pass.py and
/// prune_empty_tensors_pass.py.
NoOpStats remove_no_ops(Program& program);

}  // namespace ptec::edge
