#include "plan/lifetimes.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>

#include "ir/mutations.h"
#include "ops/ops.h"

namespace ptec::plan {
namespace {

constexpr std::uint32_t kUnset = std::numeric_limits<std::uint32_t>::max();

/// What a buffer holds has to last from one call to the next.
void keep_state(const ExecProgram& exec, std::uint32_t node_count, Lifetimes& lifetimes) {
  const Program& program = exec.program;
  const std::set<std::string, std::less<>> mutated = mutated_buffers(program);
  for (const InputSpec& input : program.inputs) {
    if (input.kind != InputKind::Buffer || !mutated.contains(input.target)) continue;
    for (const SpecId spec : exec.specs_of(program.graph, input.node))
      lifetimes.of[static_cast<std::size_t>(spec)] = {0, node_count - 1};
  }
}

}  // namespace

void add_lifetimes(const ExecProgram& exec, const Graph& graph, Lifetimes& lifetimes) {
  lifetimes.to_plan.clear();
  // What a node returns lives while the node is mentioned. A call with many results is mentioned by
  // a getitem for each, so its mentions are joined first.
  std::vector<Lifetime> mentions(graph.id_bound(), {kUnset, 0});
  std::uint32_t position = 0;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next(), ++position) {
    const Node& node = graph.at(id);
    const std::uint32_t begin = node.kind == NodeKind::Placeholder ? 0 : position;
    const auto mention = [&](NodeId mentioned) {
      Lifetime& lifetime = mentions[static_cast<std::size_t>(mentioned)];
      lifetime.first = std::min(lifetime.first, begin);
      lifetime.last = std::max(lifetime.last, position);
    };
    mention(id);
    for_each_input(node, mention);
    if (edge::writes_in_place(node.target)) continue;
    for (const SpecId own : exec.specs_of(graph, id)) {
      const SpecId spec = exec.storage_of(own);
      if (spec == kNoSpec || exec.spec(spec).constant ||
          lifetimes.collected[static_cast<std::size_t>(spec)])
        continue;
      lifetimes.collected[static_cast<std::size_t>(spec)] = true;
      lifetimes.to_plan.push_back(spec);
    }
  }
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
    const Node& node = graph.at(id);
    if (edge::writes_in_place(node.target)) continue;  // its result is its first argument
    const Lifetime& mentioned = mentions[static_cast<std::size_t>(id)];
    for (const SpecId spec : exec.specs_of(graph, id)) {
      if (spec == kNoSpec) continue;
      Lifetime& lifetime = lifetimes.of[static_cast<std::size_t>(exec.storage_of(spec))];
      lifetime.first = std::min(lifetime.first, mentioned.first);
      lifetime.last = std::max(lifetime.last, mentioned.last);
    }
  }
}

Lifetimes find_lifetimes(const ExecProgram& exec) {
  Lifetimes lifetimes;
  lifetimes.of.assign(exec.specs.size(), {kUnset, 0});
  lifetimes.collected.assign(exec.specs.size(), false);
  add_lifetimes(exec, exec.program.graph, lifetimes);
  keep_state(exec, static_cast<std::uint32_t>(exec.program.graph.size()), lifetimes);
  return lifetimes;
}

}  // namespace ptec::plan
