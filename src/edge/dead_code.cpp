#include "edge/dead_code.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "edge/asserts.h"
#include "ir/subgraphs.h"
#include "ir/targets.h"
#include "ops/control_flow.h"
#include "ops/ops.h"

namespace ptec::edge {
namespace {

// Operators outside these namespaces are unknown: they may do something besides what they return.
constexpr std::string_view kPureNamespaces[] = {
    "aten", "prims", "sym", "tensorrt", "et_copy", "dim_order_ops"};

bool is_pure(std::string_view target) {
  const std::string_view space = target.substr(0, target.find("::"));
  return target == kGetItem || target == kConstant ||
         (!writes_in_place(target) && !is_assert(target) &&
          std::find(std::begin(kPureNamespaces), std::end(kPureNamespaces), space) !=
              std::end(kPureNamespaces));
}

/// Whether all that the graphs of a node of control flow do is what they return.
bool has_pure_graphs(const Program& program, const Node& control_flow) {
  bool pure = true;
  for_each_subgraph(program, control_flow, [&](const Graph& outer) {
    for_each_graph(program, outer, [&pure](const Graph& graph) {
      for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
        const Node& node = graph.at(id);
        pure = pure && (node.kind != NodeKind::Call || is_control_flow(node.target) ||
                        is_pure(node.target));
      }
    });
  });
  return pure;
}

bool may_be_dropped(const Program& program, const Graph& graph, const Node& node) {
  if (node.kind != NodeKind::Call || !node.users().empty()) return false;
  // A delegate's results stay with their call: the runtime writes every one of them.
  if (node.target == kDelegateCall) return false;
  if (node.target == kGetItem) return graph.at(*node.args[0].node()).target != kDelegateCall;
  if (is_control_flow(node.target)) return has_pure_graphs(program, node);
  return is_pure(node.target);
}

}  // namespace

DeadCodeStats remove_dead_code(Program& program) {
  DeadCodeStats stats;
  for_each_graph(program, [&](Graph& graph) {
    const std::vector<NodeId> order = graph.order();
    for (auto id = order.rbegin(); id != order.rend(); ++id) {
      if (!may_be_dropped(program, graph, graph.at(*id))) continue;
      graph.erase(*id);
      ++stats.nodes;
    }
  });
  return stats;
}

DeadCodeStats remove_unused_parameters(Program& program) {
  DeadCodeStats stats;
  Graph& graph = program.graph;
  std::vector<InputSpec> kept;
  for (InputSpec& input : program.inputs) {
    if (input.kind == InputKind::Parameter && graph.at(input.node).users().empty()) {
      graph.erase(input.node);
      ++stats.parameters;
    } else {
      kept.push_back(std::move(input));
    }
  }
  program.inputs = std::move(kept);
  return stats;
}

}  // namespace ptec::edge
