// Adds nodes to a graph the way a trace does.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/names.h"
#include "ir/program.h"
#include "ops/infer.h"

namespace ptec::edge {

/// Inserts calls before a node, with the values that infer.h gives them. A hook sees each call
/// first and may give other nodes for it, so that one decomposition can use another.
class Builder {
 public:
  using Nodes = std::vector<NodeId>;
  /// Returns false to have the call inserted as it is. `call` stands in no graph.
  using Hook = bool (*)(Builder&, const Node& call, Nodes& results);

  explicit Builder(Program& program, Hook hook = nullptr);

  void insert_before(NodeId before) { before_ = before; }

  /// One call with one result.
  NodeId call(std::string_view target,
              std::vector<Argument> args,
              std::vector<NamedArgument> kwargs = {});
  /// One call with a list of results, each with its getitem.
  Nodes calls(std::string_view target,
              std::vector<Argument> args,
              std::vector<NamedArgument> kwargs = {});
  /// A call without the hook.
  Nodes insert(Node call);

  const TensorMeta& meta(NodeId id) const;
  const std::vector<Dim>& sizes(NodeId id) const { return meta(id).sizes; }
  std::size_t rank(NodeId id) const { return sizes(id).size(); }
  ScalarType dtype(NodeId id) const { return meta(id).dtype; }

  /// A size as an argument: a number, or the node that computes it, which is added if there is
  /// none yet. Throws Unsupported for an expression that no operator gives.
  Argument size(const Dim& dim);
  Argument list(const std::vector<Dim>& dims);
  /// All sizes multiplied from left to right, as a trace that flattens dimensions does it: the
  /// nodes that are missing for that are added.
  Dim product(const std::vector<Dim>& dims);
  static Argument integers(const std::vector<std::int64_t>& numbers);
  static Argument tensors(const Nodes& nodes);

  Program& program() { return program_; }
  ExprPool& exprs() { return program_.exprs; }

 private:
  NodeId add(Node node);
  NodeId size_node(const Dim& dim);
  NodeId add_size(const char* target, Argument a, Argument b, const Dim& result);
  NodeId symbol_node(const Dim& dim);
  void note_size_nodes();

  Program& program_;
  Hook hook_;
  NodeId before_ = kNoNode;
  NameSequence names_;
  std::map<ExprId, NodeId> size_nodes_;  // of expressions that a node gives already
};

}  // namespace ptec::edge
