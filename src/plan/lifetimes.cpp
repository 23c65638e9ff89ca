#include "plan/lifetimes.h"

#include <algorithm>
#include <limits>

#include "support/error.h"

namespace ptec::plan {
namespace {

constexpr std::uint32_t kUnset = std::numeric_limits<std::uint32_t>::max();

}  // namespace

void add_lifetimes(const Program& program, const Graph& graph, Lifetimes& lifetimes) {
  lifetimes.to_plan.clear();
  std::uint32_t position = 0;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next, ++position) {
    const Node& node = graph.at(id);
    const std::uint32_t begin = node.kind == NodeKind::Placeholder ? 0 : position;
    const auto mention = [&](const Node& mentioned) {
      for (const SpecId spec : mentioned.specs) {
        if (spec == kNoSpec) continue;
        Lifetime& lifetime = lifetimes.of[static_cast<std::size_t>(spec)];
        lifetime.first = std::min(lifetime.first, begin);
        lifetime.last = std::max(lifetime.last, position);
      }
    };
    mention(node);
    for_each_input(node, [&](NodeId input) { mention(graph.at(input)); });
    for (const SpecId spec : node.specs) {
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
  return lifetimes;
}

}  // namespace ptec::plan
