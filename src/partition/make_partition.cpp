#include "partition/make_partition.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "ir/mutations.h"
#include "partition/external_inputs.h"

namespace ptec {
namespace {

bool is_constant(const Program& program,
                 const std::set<std::string, std::less<>>& mutated,
                 NodeId node) {
  const InputSpec* input = program.find_input(node);
  if (input == nullptr) return false;
  switch (input->kind) {
    case InputKind::Parameter:
    case InputKind::Buffer:
    case InputKind::TensorConstant:
      return !mutated.contains(input->target);
    default:
      return false;
  }
}

}  // namespace

Partition make_partition(const Program& program, std::vector<NodeId> nodes, TakeConstants take) {
  const Graph& graph = program.graph;
  const std::set<NodeId> inside(nodes.begin(), nodes.end());
  Partition out;
  out.nodes.reserve(nodes.size());
  for (NodeId id = graph.first(); id != kNoNode && out.nodes.size() < inside.size();
       id = graph.at(id).next) {
    if (inside.contains(id)) out.nodes.push_back(id);
  }
  out.inputs = external_inputs(program, out.nodes);
  if (take == TakeConstants::Yes) {
    const std::set<std::string, std::less<>> mutated = mutated_buffers(program);
    const auto first_constant =
        std::stable_partition(out.inputs.begin(), out.inputs.end(), [&](NodeId input) {
          return !is_constant(program, mutated, input);
        });
    out.constants.assign(first_constant, out.inputs.end());
    out.inputs.erase(first_constant, out.inputs.end());
  }
  for (const NodeId node : out.nodes) {
    const std::vector<NodeId>& users = graph.at(node).users;
    if (std::any_of(
            users.begin(), users.end(), [&inside](NodeId user) { return !inside.contains(user); }))
      out.outputs.push_back(node);
  }
  return out;
}

}  // namespace ptec
