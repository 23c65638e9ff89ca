// The reference's greedy placement of tensors in one arena.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/lifetimes.h"

namespace ptec::plan {

struct Tensor {
  std::uint64_t size_bytes = 0;  // already a multiple of the alignment
  Lifetime lifetime;
};

struct Placement {
  std::vector<std::uint64_t> offset_bytes;  // by index of the tensor
  std::uint64_t arena_size_bytes = 0;
};

/// Places tensors largest first (of equal sizes the last comes first) into buckets of the size of
/// their first tensor: the first bucket in which nothing is alive at the same time takes it at its
/// start; else the first bucket with room behind what is alive; else a new bucket. Buckets lie
/// behind one another from `base_bytes` on. Source: ExecuTorch 1.4, exir/memory_planning.py,
/// `greedy` and `pick_shared_obj`.
Placement place_greedily(const std::vector<Tensor>& tensors, std::uint64_t base_bytes = 0);

}  // namespace ptec::plan
