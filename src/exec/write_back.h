// Mutations as instructions: what a functional program returns as the new value of a buffer or an
// input is copied into it before the program ends.
#pragma once

#include <string_view>
#include <vector>

#include "ir/program.h"

namespace ptec::edge {

/// Writes to its first argument and returns it; the runtime has a kernel of that name.
inline constexpr std::string_view kCopyInPlace = "aten::copy_.default";

struct WriteBackStats {
  int written = 0;    // copies appended
  int snapshots = 0;  // copies of a value that an earlier write would have changed
};

/// Appends `aten::copy_(target, value)` for every mutated buffer and input, right before the output
/// and in output order; the copies take the values' places among the results. A mutation whose
/// value is its own target needs none. What is still read after a write to it, as the source of a
/// later write or as a result, is copied before the first write. Needs functional form. Source:
/// ExecuTorch 1.4, exir/passes/insert_write_back_for_buffers_pass.py; which takes any buffer for
/// the target's own, and knows no snapshots.
WriteBackStats write_back(Program& program);

/// Gives the result of each in-place operator the spec of what it writes to: they are one tensor.
/// The output keeps the specs that it had. Needs specs. Source: ExecuTorch 1.4,
/// exir/memory_planning.py, `_alias_inplace_result_specs`.
void alias_in_place_results(Program& program);

/// The mutations of a program as its signature states them.
std::vector<OutputSpec> mutations_of(const Program& program);

/// Proves that none of `wanted`, taken before lowering, vanished on the way: each is still in the
/// signature, and its result is its target itself, a copy into it, or what a delegate wrote into
/// the memory of its target. Needs specs. Throws Internal, naming what is lost.
void verify_mutations(const Program& program, const std::vector<OutputSpec>& wanted);

}  // namespace ptec::edge
