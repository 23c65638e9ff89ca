#include "edge/input_copies.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ir/mutations.h"
#include "ir/names.h"

namespace ptec::edge {
namespace {

bool mutates_input(const OutputSpec& output) {
  return output.kind == OutputKind::UserInputMutation;
}

NodeId append_copy(Graph& graph, NodeId input, NodeId value, NameTable& names) {
  Node copy;
  copy.name = names.unique("copy");
  copy.target = "aten::copy.default";
  copy.args = {Argument(input), Argument(value)};
  copy.value = graph.at(input).value;
  return graph.insert(std::move(copy), graph.last());
}

}  // namespace

int traces_with_mutated_inputs(const Program& program) {
  return std::any_of(program.outputs.begin(), program.outputs.end(), mutates_input) ? 2 : 1;
}

InputCopyStats copy_mutated_inputs(Program& program, int traces) {
  InputCopyStats stats;
  if (std::none_of(program.outputs.begin(), program.outputs.end(), mutates_input)) return stats;
  Graph& graph = program.graph;
  NameTable names(graph);
  Argument::List results = *graph.at(graph.last()).args.at(0).list();
  for (int trace = 0; trace < traces; ++trace) {
    std::map<NodeId, NodeId> copied;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const OutputSpec& output = program.outputs[i];
      const NodeId input = mutates_input(output) ? find_mutated_input(program, output) : kNoNode;
      const NodeId* value = results[i].node();
      if (input == kNoNode || value == nullptr) continue;
      const NodeId copy = append_copy(graph, input, *value, names);
      copied[*value] = copy;
      results[i] = copy;
      ++stats.copies;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      const NodeId* value = results[i].node();
      if (value == nullptr || program.outputs[i].kind != OutputKind::UserOutput) continue;
      if (const auto found = copied.find(*value); found != copied.end()) results[i] = found->second;
    }
  }
  graph.set_arguments(graph.last(), {Argument(std::move(results))}, {});
  return stats;
}

}  // namespace ptec::edge
