// An independent checker of memory plans: it knows nothing of lifetimes, only what instructions
// read and write.
#pragma once

#include <string>
#include <vector>

#include "pte/pte.h"

namespace ptec::test {

/// Follows every path through a method's instructions, with its jumps and moves, and reports each
/// read of a tensor whose bytes something else has written over since, or that nothing has written;
/// what a method returns is read at its end. Reports allocations outside their arena too. Devices
/// have arenas of their own. A tensor that is never written, at the place of one that is, counts as
/// its view. One that is first read, and never a view, holds state from call to call.
std::vector<std::string> find_memory_conflicts(const inspect::PtePlan& plan);

}  // namespace ptec::test
