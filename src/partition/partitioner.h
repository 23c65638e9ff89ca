// The export-time half of a delegate: what it takes out of a program, and what it makes of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/delegate.h"
#include "ir/program.h"

namespace ptec {

/// Nodes that become one delegate call.
struct Partition {
  std::vector<NodeId> nodes;    // in graph order
  std::vector<NodeId> inputs;   // the call's arguments, in order: nodes outside the partition
  std::vector<NodeId> outputs;  // the call's results, in order: nodes of the partition
  /// Parameters, buffers and constants whose values go into the delegate: placeholders that the
  /// nodes read and that are no arguments of the call. They leave the program with their last user.
  std::vector<NodeId> constants;
};

/// A node that a partitioner left alone, and why: one clause, as in "its weight is no constant".
struct Refusal {
  NodeId node = kNoNode;
  std::string why;
};

struct Partitioning {
  std::vector<Partition> partitions;  // in the order in which the calls are put in
  std::vector<Refusal> refusals;      // for `ptec export --explain`
};

/// What a delegate is to the compiler. One instance may serve several methods and several exports.
class Partitioner {
 public:
  virtual ~Partitioner() = default;

  /// The id under which the runtime looks the delegate up.
  virtual std::string_view backend_id() const = 0;
  /// The only method that the instance may be used for; nothing: any.
  virtual std::optional<std::string> method_name() const { return std::nullopt; }
  /// What it takes: calls and the getitems of their results, no node twice, and no partition that
  /// a value leaves and enters again. `make_partition` fills in all but the nodes. May add nodes of
  /// its own to the program (results that nothing used), but changes nothing that is there.
  virtual Partitioning partition(Program& program) const = 0;
  /// Blob, compile specs and named data of one partition. The program still holds its nodes.
  virtual Delegate preprocess(const Program& program, const Partition& partition) const = 0;
};

}  // namespace ptec
