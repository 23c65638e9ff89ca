#include "partition/external_inputs.h"

#include <algorithm>
#include <map>
#include <set>

namespace ptec {

std::vector<NodeId> external_inputs(const Program& program, const std::vector<NodeId>& nodes) {
  const Graph& graph = program.graph;
  const std::set<NodeId> inside(nodes.begin(), nodes.end());
  std::vector<NodeId> inputs;
  std::set<NodeId> seen;
  for (const NodeId node : nodes) {
    for_each_input(graph.at(node), [&](NodeId input) {
      if (inside.contains(input) || std::holds_alternative<ObjectRef>(graph.at(input).value.v))
        return;
      if (seen.insert(input).second) inputs.push_back(input);
    });
  }
  const bool all_placeholders = std::all_of(inputs.begin(), inputs.end(), [&graph](NodeId input) {
    return graph.at(input).kind == NodeKind::Placeholder;
  });
  if (all_placeholders) {
    std::map<NodeId, std::size_t> position;
    for (const NodeId input : inputs) position[input] = 0;
    std::size_t index = 0;
    for (NodeId id = graph.first(); id != kNoNode && graph.at(id).kind == NodeKind::Placeholder;
         id = graph.at(id).next()) {
      if (const auto found = position.find(id); found != position.end()) found->second = index;
      ++index;
    }
    std::sort(inputs.begin(), inputs.end(), [&position](NodeId a, NodeId b) {
      return position.at(a) < position.at(b);
    });
  }
  return inputs;
}

}  // namespace ptec
