// The graphs of control flow that a node's arguments name.
#pragma once

#include "ir/program.h"

namespace ptec {

/// Calls `visit(GraphId)` for each graph in the argument itself, lists flattened; not for the
/// graphs inside those.
template <typename Visit>
void for_each_subgraph_id(const Argument& argument, const Visit& visit) {
  if (const auto* graph = std::get_if<GraphId>(&argument.v)) visit(*graph);
  if (const Argument::List* list = argument.list()) {
    for (const Argument& item : *list) for_each_subgraph_id(item, visit);
  }
}
template <typename Visit>
void for_each_subgraph_id(const Node& node, const Visit& visit) {
  if (node.target.empty() || node.target.front() != 'h') return;  // only higher_order:: has any
  for (const Argument& argument : node.args) for_each_subgraph_id(argument, visit);
  for (const NamedArgument& argument : node.kwargs) for_each_subgraph_id(argument.value, visit);
}

/// Calls `visit(Graph&)` for each graph that the node's arguments name; `AnyProgram` is a Program,
/// constant or not.
template <typename AnyProgram, typename Visit>
void for_each_subgraph(AnyProgram& program, const Node& node, const Visit& visit) {
  for_each_subgraph_id(node, [&](GraphId id) { visit(program.graph_of(id)); });
}

/// Calls `visit(Graph&)` for the graph and then for every graph in its nodes' arguments, outer ones
/// first, in the order of the nodes.
template <typename AnyProgram, typename AnyGraph, typename Visit>
void for_each_graph(AnyProgram& program, AnyGraph& graph, const Visit& visit) {
  visit(graph);
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
    for_each_subgraph(
        program, graph.at(id), [&](AnyGraph& inner) { for_each_graph(program, inner, visit); });
  }
}
/// The same from the method's own graph on.
template <typename AnyProgram, typename Visit>
void for_each_graph(AnyProgram& program, const Visit& visit) {
  for_each_graph(program, program.graph, visit);
}

}  // namespace ptec
