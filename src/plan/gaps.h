// A tighter placement than the reference's, on request.
#pragma once

#include "plan/greedy.h"

namespace ptec::plan {

/// Places tensors largest first, of equal sizes the first, each into the smallest gap that fits
/// between those placed before it that are alive at the same time, else above them. There are no
/// buckets, so room beside a small tensor is not lost. The result is never larger than
/// `place_greedily`'s: where it would be, that one is returned. Time grows with the tensors that
/// are alive together, not with all.
Placement place_in_gaps(const std::vector<Tensor>& tensors, std::uint64_t base_bytes = 0);

}  // namespace ptec::plan
