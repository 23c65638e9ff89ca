// What the archive says that operators return, against what they return.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

/// Compares the element type, the rank and the fixed sizes that the archive records for each result
/// with those that follow from the operator's arguments, where infer.h has a rule. An archive whose
/// records are wrong would be planned and emitted wrong, and give other numbers without a word.
/// Throws one Malformed with a line for each node that disagrees, and what infer_value throws for
/// arguments that make no sense. Sizes that stay symbolic are not compared.
void check_recorded_values(Program& program);

}  // namespace ptec::edge
