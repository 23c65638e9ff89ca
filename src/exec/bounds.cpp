#include "exec/bounds.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "ir/subgraphs.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

/// The first tensor in which each unbounded symbol appears, for the message.
using Unbounded = std::map<std::string, std::string>;

void bound(Program& program, Dim& dim, const std::string& where, Unbounded& unbounded) {
  if (dim.is_number()) return;
  const Range range = program.exprs.bounds(dim, program.ranges);
  if (range.max && *range.max < 0) {
    fail(ErrorCode::Malformed,
         fmt::format("'{}' in the shape of '{}' is at most {}; no size or stride is negative",
                     program.exprs.print(dim),
                     where,
                     *range.max));
  }
  if (range.max) {
    dim = Dim(*range.max);
    return;
  }
  bool named = false;
  for (const std::string& symbol : program.exprs.symbols(dim)) {
    const auto found = program.ranges.find(symbol);
    if (found != program.ranges.end() && found->second.max) continue;
    unbounded.emplace(symbol, where);
    named = true;
  }
  if (!named) unbounded.emplace(program.exprs.print(dim), where);
}

}  // namespace

void bound_shapes(Program& program) {
  Unbounded unbounded;
  for_each_graph(program.graph, [&](const Graph& graph) {
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
      const Node& node = graph.at(id);
      for (const SpecId spec_id : node.specs) {
        if (spec_id == kNoSpec) continue;
        TensorSpec& spec = program.spec(spec_id);
        for (Dim& size : spec.sizes) bound(program, size, node.name, unbounded);
        for (Dim& stride : spec.strides) bound(program, stride, node.name, unbounded);
      }
    }
  });
  if (unbounded.empty()) return;
  std::vector<std::string> problems;
  for (const auto& [symbol, where] : unbounded) {
    problems.push_back(
        Breadcrumb::trail() +
        fmt::format(
            "'{}' in the shape of '{}' has no upper bound, so no memory can be planned for it; "
            "give it one with --max {}=N, or when you export the model (torch.export.Dim(..., "
            "max=N))",
            symbol,
            where,
            symbol));
  }
  throw Error(ErrorCode::Unsupported, std::move(problems));
}

}  // namespace ptec::edge
