// Results of `cond` that something else writes over while they are still needed.
#pragma once

#include <set>

#include "ir/program.h"

namespace ptec::plan {

/// The reference never copies a branch's result: it makes the result of `cond` share the branch's
/// tensor, in the memory that all graphs of control flow share. When more control flow runs before
/// the last use, its tensors can take that memory, and numbers are wrong. Returns the results (by
/// spec) for which that is so, byte by byte, those that are what the branch was given, which is not
/// kept for them, and those that a view looks at, since a view would not follow. They have memory
/// of their own, and a copy into it is right. Needs planned memory.
std::set<SpecId> find_overwritten_results(const Program& program);

}  // namespace ptec::plan
