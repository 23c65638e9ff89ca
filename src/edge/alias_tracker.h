// Which values share memory while a program writes in place, and what they are after each write.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/names.h"
#include "ir/program.h"

namespace ptec::edge {

/// Follows tensors and their views through writes. A write gives a tensor a new value; a write
/// through a view is put into what it shows at once, and each view is made again when it is next
/// looked at. The graph is walked front to back: refresh_operands, then note_view or set_value, for
/// each node.
class AliasTracker {
 public:
  explicit AliasTracker(Program& program);

  /// The node reads the values that its operands have now.
  void refresh_operands(NodeId id);
  /// Enters the node when its result shows the memory of its first operand.
  void note_view(NodeId id);

  /// The tensor that node `id` writes to: who its first operand was before refresh_operands.
  NodeId written_by(NodeId id) const;
  /// Why a write to that tensor cannot be followed; empty when it can.
  std::string problem_with_write(NodeId tensor) const;
  /// `node`, which wrote to `tensor`, returned it; its value is `value` from now on.
  void set_value(NodeId tensor, NodeId node, NodeId value);

  /// Every mutated placeholder becomes a mutation output, in the order of the inputs, before the
  /// results.
  void return_mutations();

 private:
  struct View {
    NodeId root = kNoNode;    // the tensor that owns the memory
    NodeId parent = kNoNode;  // what it shows: the root or another view
    NodeId value = kNoNode;
    std::uint64_t version = 0;  // of the root, when `value` was made
    bool opaque = false;        // shows or copies, which depends on layouts; never written
  };
  struct Root {
    NodeId value = kNoNode;
    std::uint64_t version = 0;
    std::vector<NodeId> opaque;  // views that cannot be followed
  };

  NodeId tensor_of(NodeId id) const;
  Root& root_of(NodeId id);
  NodeId current(NodeId id, NodeId before);
  std::vector<NodeId> chain_of(NodeId view) const;
  NodeId view_again(NodeId view, NodeId base, NodeId before);
  NodeId chain_again(NodeId view, NodeId base, NodeId before);
  NodeId put_back(NodeId view, NodeId base, NodeId value, NodeId before);
  NodeId write_through(NodeId view, NodeId base, NodeId value, NodeId before);
  NodeId add(NodeId before,
             std::string target,
             std::vector<Argument> args,
             const TensorMeta& like,
             std::vector<NamedArgument> kwargs = {});

  Program& program_;
  Graph& graph_;
  NameTable names_;
  std::map<NodeId, Root> roots_;
  std::map<NodeId, View> views_;
  std::map<NodeId, NodeId> same_;  // a value that a tensor has or had -> that tensor
  std::map<NodeId, NodeId>
      written_;  // a writing node -> the tensor, before its operand was replaced
};

}  // namespace ptec::edge
