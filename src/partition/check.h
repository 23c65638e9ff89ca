// Whether a partitioner kept its promises.
#pragma once

#include "partition/partitioner.h"

namespace ptec {

/// Throws InvalidArgument, all problems together, for partitions that are empty, overlap, hold
/// something else than calls, read what is neither input nor constant, give what is no output, or
/// that a value leaves and enters again (a cycle once they are calls).
void check_partitions(const Program& program,
                      const Partitioner& partitioner,
                      const std::vector<Partition>& partitions);

}  // namespace ptec
