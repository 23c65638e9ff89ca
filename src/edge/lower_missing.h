// Operators without a kernel -> operators that have one, where the numbers are the same.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct LowerMissingStats {
  int rewritten = 0;
};

/// Rewrites what the stock runtime has no kernel for into what it has kernels for, by the rules of
/// the table in the source, each with the reason why it is exact; a call that a rule's conditions
/// do not hold for stays. The reference has no such pass, so it only runs when asked for. Needs
/// functional form.
LowerMissingStats lower_missing_kernels(Program& program);

}  // namespace ptec::edge
