// The export-time half of a delegate: what it takes out of a program, and what it makes of it.
#pragma once

#include <string_view>
#include <vector>

#include "program/delegate.h"
#include "program/program.h"

namespace ptec {

/// Nodes that become one delegate call.
struct Partition {
  std::vector<NodeId> nodes;    // in graph order
  std::vector<NodeId> inputs;   // the call's arguments, in order: nodes outside the partition
  std::vector<NodeId> outputs;  // the call's results, in order: nodes of the partition
};

class Backend {
 public:
  virtual ~Backend() = default;

  /// The id under which the runtime looks the delegate up.
  virtual std::string_view id() const = 0;
  /// What it takes, in the order in which the calls are put in. Partitions do not overlap. May add
  /// nodes of its own to the program (results that nothing used), but changes nothing that is
  /// there.
  virtual std::vector<Partition> find_partitions(Program& program) const = 0;
  /// Blob and compile specs of one partition.
  virtual Delegate preprocess(const Program& program, const Partition& partition) const = 0;
};

}  // namespace ptec
