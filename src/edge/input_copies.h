// The copies that the reference leaves behind for mutated inputs.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

/// How often the reference traces the program again once its signature states that inputs change:
/// twice when it does so from the start, once when a first trace has to find out.
int traces_with_mutated_inputs(const Program& program);

struct InputCopyStats {
  int copies = 0;
};

/// For each trace and each mutated input, in output order: `aten::copy(input, value)` right before
/// the output, in the place of the value and of the results that return it too. They change no
/// number; they are there because a trace writes to the input in place, and making that functional
/// leaves a copy. Needs functional form. Source: torch 2.14, torch/export/_unlift.py,
/// `_insert_copy_for_mutations`; ExecuTorch 1.4, exir/program/_program.py.
InputCopyStats copy_mutated_inputs(Program& program, int traces);

}  // namespace ptec::edge
