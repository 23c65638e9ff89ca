// What a program writes to besides its results.
#pragma once

#include <set>
#include <string>

#include "ir/program.h"

namespace ptec {

/// An output that is a new value of a buffer, a parameter or an input of the caller.
bool is_mutation(OutputKind kind);

/// FQNs of the buffers that the program writes to.
std::set<std::string, std::less<>> mutated_buffers(const Program& program);

/// The placeholder that a mutation writes to; kNoNode when the program has no such input.
NodeId find_mutated_input(const Program& program, const OutputSpec& mutation);

}  // namespace ptec
