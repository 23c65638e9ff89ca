#include "exec/stacked_results.h"

#include <optional>

#include "ir/subgraphs.h"
#include "ops/control_flow.h"

namespace ptec::edge {

void mark_stacked_results(Program& program) {
  for_each_graph(program.graph, [&program](Graph& graph) {
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
      const Node& node = graph.at(id);
      const std::optional<ControlFlow> flow = find_control_flow(node);
      if (!flow || flow->sliced.empty()) continue;
      for (std::size_t i = flow->carried.size(); i < node.specs.size(); ++i) {
        if (node.specs[i] != kNoSpec) program.spec(node.specs[i]).dynamic = true;
      }
    }
  });
}

}  // namespace ptec::edge
