// Puts a delegate call in the place of a partition.
#pragma once

#include "partition/backend.h"
#include "program/targets.h"

namespace ptec {

/// Lets `backend` take what it wants: every partition becomes one `delegate::call(INDEX,
/// inputs...)` whose results are taken by getitem nodes, also a single one. After each, the graph
/// is sorted as the reference sorts it. Custom objects that nothing uses any more leave the
/// signature. Returns how many calls were put in.
std::size_t delegate_to(Program& program, const Backend& backend);

}  // namespace ptec
