// The graphs of control flow that stand in a node's arguments.
#pragma once

#include <memory>

#include "ir/program.h"

namespace ptec {

/// Calls `visit(Graph&)` for each graph in the argument itself, lists flattened; not for the graphs
/// inside those.
template <typename Visit>
void for_each_subgraph(const Argument& argument, const Visit& visit) {
  if (const auto* graph = std::get_if<std::shared_ptr<Graph>>(&argument.v)) visit(**graph);
  if (const Argument::List* list = argument.list()) {
    for (const Argument& item : *list) for_each_subgraph(item, visit);
  }
}
template <typename Visit>
void for_each_subgraph(const Node& node, const Visit& visit) {
  if (node.target.empty() || node.target.front() != 'h') return;  // only higher_order:: has any
  for (const Argument& argument : node.args) for_each_subgraph(argument, visit);
  for (const NamedArgument& argument : node.kwargs) for_each_subgraph(argument.value, visit);
}

/// Calls `visit(Graph&)` for the graph and then for every graph in its nodes' arguments, outer ones
/// first, in the order of the nodes.
template <typename Visit>
void for_each_graph(Graph& graph, const Visit& visit) {
  visit(graph);
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next)
    for_each_subgraph(graph.at(id), [&](Graph& inner) { for_each_graph(inner, visit); });
}

}  // namespace ptec
