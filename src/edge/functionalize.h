// A program that may write in place and cast or copy conditionally -> a functional one.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct FunctionalizeStats {
  int in_place = 0;  // operators that wrote in place
  int removed = 0;   // operators that did nothing
};

/// What `run_decompositions({})` does. Operators that write to an operand become the functional
/// ones; what the program still sees through the operand and its views is the new value, and a
/// mutated buffer or input becomes a mutation output of the signature, before the results. `to`
/// becomes `_to_copy` or nothing, `contiguous` becomes `clone` or nothing, dropout that does not
/// drop vanishes. Throws Unsupported with a line for each write that cannot be followed. Source:
/// torch 2.14, torch/_functorch/_aot_autograd and aten/src/ATen/FunctionalTensorWrapper.cpp.
FunctionalizeStats functionalize(Program& program);

}  // namespace ptec::edge
