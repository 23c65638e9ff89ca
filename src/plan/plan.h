// Lifetimes -> arenas and offsets.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/program.h"
#include "plan/greedy.h"

namespace ptec::plan {

/// One planned piece of memory. Arena 0 is reserved and empty.
struct Arena {
  std::uint64_t size_bytes = 0;
  std::optional<std::int64_t> cuda_index;  // set: on that device
};

/// Bytes that a spec's tensor takes, all sizes being numbers. Throws Limit over 2^63 - 1.
std::uint64_t tensor_size_bytes(const TensorSpec& spec);

/// How tensors get their offsets in one arena: `place_greedily`, or another with its contract.
using PlaceTensors = Placement (*)(const std::vector<Tensor>& tensors, std::uint64_t base_bytes);

/// Gives every spec that needs memory an arena and an offset (a multiple of 16): the host's arena
/// first, then devices by index. The graphs of control flow share the start of the host's arena:
/// each lies at 0, behind those inside it, and what they are inside of lies behind the largest. Of
/// their inputs only a loop's that goes over tensors are planned, for the slices. Needs out form
/// and numeric sizes. Source: ExecuTorch 1.4, exir/memory_planning.py, `apply_algo`.
std::vector<Arena> plan_memory(Program& program, PlaceTensors place_tensors = place_greedily);

}  // namespace ptec::plan
