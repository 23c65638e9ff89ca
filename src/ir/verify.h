// Invariants of the IR.
#pragma once

#include <string_view>

#include "ir/program.h"

namespace ptec {

/// Throws Internal, naming node, rule and `after` (the pass that ran last), when the program breaks
/// an invariant: arguments are defined before use, use lists agree with arguments, names are
/// unique, placeholders match the input specs and outputs the output specs one to one, constants
/// and objects exist, getitem indices are in range, tensors have as many strides as sizes.
void verify(const Program& program, std::string_view after);

}  // namespace ptec
