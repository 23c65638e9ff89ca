#include "exec/stacked_results.h"

#include <optional>

#include "ir/subgraphs.h"
#include "ops/control_flow.h"

namespace ptec::edge {

void mark_stacked_results(ExecProgram& exec) {
  for_each_graph(exec.program, [&exec](const Graph& graph) {
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
      const std::optional<ControlFlow> flow = find_control_flow(graph.at(id));
      if (!flow || flow->sliced.empty()) continue;
      const std::vector<SpecId>& specs = exec.specs_of(graph, id);
      for (std::size_t i = flow->carried.size(); i < specs.size(); ++i) {
        if (specs[i] != kNoSpec) exec.spec(specs[i]).dynamic = true;
      }
    }
  });
}

}  // namespace ptec::edge
