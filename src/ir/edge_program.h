// A program whose operators and delegates are settled, and that can still be looked at and changed.
#pragma once

#include <string_view>
#include <vector>

#include "ir/delegate.h"
#include "ir/program.h"

namespace ptec {

/// What partitioners make of a Program, and what to_executorch begins with. The graph is
/// functional; a `delegate::call` node begins with an index into `delegates`.
struct EdgeProgram {
  Program program;
  std::vector<Delegate> delegates;
};

/// The delegate that a `delegate::call` node runs. Throws Internal for an index outside the list.
const Delegate& delegate_of(const std::vector<Delegate>& delegates, const Node& call);

}  // namespace ptec
