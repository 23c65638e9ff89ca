#include "edge/dead_code.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "edge/asserts.h"
#include "edge/ops.h"
#include "program/targets.h"

namespace ptec::edge {
namespace {

// Operators outside these namespaces are unknown: they may do something besides what they return.
constexpr std::string_view kPureNamespaces[] = {
    "aten", "prims", "sym", "tensorrt", "et_copy", "dim_order_ops"};

bool may_be_dropped(const Graph& graph, const Node& node) {
  if (node.kind != NodeKind::Call || !node.users.empty()) return false;
  // A delegate's results stay with their call: the runtime writes every one of them.
  if (node.target == kDelegateCall) return false;
  if (node.target == kGetItem) return graph.at(*node.args[0].node()).target != kDelegateCall;
  const std::string_view target = node.target;
  const std::string_view space = target.substr(0, target.find("::"));
  return !writes_in_place(target) && !is_assert(target) &&
         std::find(std::begin(kPureNamespaces), std::end(kPureNamespaces), space) !=
             std::end(kPureNamespaces);
}

}  // namespace

DeadCodeStats remove_dead_code(Program& program) {
  DeadCodeStats stats;
  Graph& graph = program.graph;
  const std::vector<NodeId> order = graph.order();
  for (auto id = order.rbegin(); id != order.rend(); ++id) {
    if (!may_be_dropped(graph, graph.at(*id))) continue;
    graph.erase(*id);
    ++stats.nodes;
  }
  return stats;
}

DeadCodeStats remove_unused_parameters(Program& program) {
  DeadCodeStats stats;
  Graph& graph = program.graph;
  std::vector<InputSpec> kept;
  for (InputSpec& input : program.inputs) {
    if (input.kind == InputKind::Parameter && graph.at(input.node).users.empty()) {
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
