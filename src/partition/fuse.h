// Puts a delegate call in the place of a partition.
#pragma once

#include <string>
#include <vector>

#include "ir/targets.h"
#include "partition/partitioner.h"

namespace ptec {

/// A refusal that outlives the node.
struct NamedRefusal {
  std::string node;
  std::string target;
  std::string why;
};

/// Lets `partitioner` take what it wants: every partition becomes one `delegate::call(INDEX,
/// inputs...)` whose results are taken by getitem nodes, also a single one. After each, the graph
/// is sorted as the reference sorts it. Constants that went into a delegate, and custom objects,
/// leave the signature when nothing uses them any more. Nothing is fused before every partition
/// was checked and preprocessed. Returns the nodes that the partitioner refused, by name.
/// Throws InvalidArgument for partitions that break the rules of check.h.
std::vector<NamedRefusal> delegate_to(Program& program, const Partitioner& partitioner);

}  // namespace ptec
