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
void keep_state(const Program& program, std::uint32_t node_count, Lifetimes& lifetimes) {
  const std::set<std::string, std::less<>> mutated = mutated_buffers(program);
  for (const InputSpec& input : program.inputs) {
    if (input.kind != InputKind::Buffer || !mutated.contains(input.target)) continue;
    for (const SpecId spec : program.graph.at(input.node).specs)
      lifetimes.of[static_cast<std::size_t>(spec)] = {0, node_count - 1};
  }
}

}  // namespace

void add_lifetimes(const Program& program, const Graph& graph, Lifetimes& lifetimes) {
  lifetimes.to_plan.clear();
  std::uint32_t position = 0;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next, ++position) {
    const Node& node = graph.at(id);
    const std::uint32_t begin = node.kind == NodeKind::Placeholder ? 0 : position;
    const auto mention = [&](const Node& mentioned) {
      if (edge::writes_in_place(mentioned.target)) return;  // its result is its first argument
      for (const SpecId spec : mentioned.specs) {
        if (spec == kNoSpec) continue;
        Lifetime& lifetime = lifetimes.of[static_cast<std::size_t>(program.storage_of(spec))];
        lifetime.first = std::min(lifetime.first, begin);
        lifetime.last = std::max(lifetime.last, position);
      }
    };
    mention(node);
    for_each_input(node, [&](NodeId input) { mention(graph.at(input)); });
    if (edge::writes_in_place(node.target)) continue;
    for (const SpecId own : node.specs) {
      const SpecId spec = program.storage_of(own);
      if (spec == kNoSpec || program.spec(spec).constant ||
          lifetimes.collected[static_cast<std::size_t>(spec)])
        continue;
      lifetimes.collected[static_cast<std::size_t>(spec)] = true;
      lifetimes.to_plan.push_back(spec);
    }
  }
}

Lifetimes find_lifetimes(const Program& program) {
  Lifetimes lifetimes;
  lifetimes.of.assign(program.specs.size(), {kUnset, 0});
  lifetimes.collected.assign(program.specs.size(), false);
  add_lifetimes(program, program.graph, lifetimes);
  keep_state(program, static_cast<std::uint32_t>(program.graph.size()), lifetimes);
  return lifetimes;
}

}  // namespace ptec::plan
