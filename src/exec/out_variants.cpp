#include "exec/out_variants.h"

#include <fmt/format.h>

#include <utility>

#include "ir/names.h"
#include "ir/subgraphs.h"
#include "ir/targets.h"
#include "ops/control_flow.h"
#include "ops/ops.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

/// The kernel reads a `double` argument as a double only, so an int literal has to become one.
Argument coerced(Argument value, const ArgumentSchema& schema) {
  if (auto* list = std::get_if<Argument::List>(&value.v)) {
    for (Argument& item : *list) item = coerced(std::move(item), schema);
    return value;
  }
  if (schema.type == ArgumentType::Double) {
    if (const auto* number = std::get_if<std::int64_t>(&value.v))
      return static_cast<double>(*number);
  }
  if (schema.type == ArgumentType::Int) {
    if (const auto* flag = std::get_if<bool>(&value.v)) return static_cast<std::int64_t>(*flag);
  }
  if (schema.type == ArgumentType::Bool) {
    if (const auto* number = std::get_if<std::int64_t>(&value.v)) return *number != 0;
  }
  return value;
}

std::vector<Argument> arguments_in_order(const Node& node, const OpSchema& schema) {
  std::vector<Argument> args;
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    const ArgumentSchema& wanted = schema.arguments[i];
    const Argument* given = i < node.args.size() ? &node.args[i] : nullptr;
    for (const NamedArgument& named : node.kwargs) {
      if (named.name == wanted.name) given = &named.value;
    }
    PTEC_INVARIANT(given != nullptr || wanted.default_value,
                   "argument '" + wanted.name + "' of " + node.target + " is missing");
    args.push_back(coerced(given != nullptr ? *given : *wanted.default_value, wanted));
  }
  return args;
}

void rewrite(
    ExecProgram& exec, Graph& graph, NodeId id, const OpSchema& schema, NameSequence& names) {
  std::vector<Argument> args = arguments_in_order(graph.at(id), schema);
  Argument::List outs;
  const std::vector<SpecId> specs = exec.specs_of(graph, id);
  for (std::size_t i = 0; i < specs.size() && !schema.outs.empty(); ++i) {
    Node alloc;
    alloc.name = names.next();
    alloc.target = kAlloc;
    const NodeId alloc_id = graph.insert(std::move(alloc), id);
    if (specs[i] != kNoSpec) exec.set_specs(graph, alloc_id, {specs[i]});
    outs.emplace_back(alloc_id);
  }
  if (schema.list_out) {
    args.emplace_back(std::move(outs));
  } else {
    for (Argument& out : outs) args.push_back(std::move(out));
  }
  // Use lists are rebuilt once at the end: leaving and entering them here is quadratic for a value
  // that many nodes use.
  graph.at(id).args = std::move(args);
  graph.at(id).kwargs.clear();
  graph.at(id).target = schema.out;
}

}  // namespace

OutVariantStats to_out_variants(ExecProgram& exec) {
  OutVariantStats stats;
  for_each_graph(exec.program, [&](Graph& graph) {
    NameSequence names(graph, "alloc");
    NodeId next = kNoNode;
    for (NodeId id = graph.first(); id != kNoNode; id = next) {
      next = graph.at(id).next();
      const Node& node = graph.at(id);
      if (node.kind != NodeKind::Call || node.target == kGetItem || node.target == kDelegateCall ||
          node.target == kView || node.target == kConstant || is_control_flow(node.target))
        continue;
      const OpSchema* schema = find_op(node.target);
      PTEC_INVARIANT(schema != nullptr, node.target + " has no out form");
      rewrite(exec, graph, id, *schema, names);
      ++stats.rewritten;
    }
    graph.reorder(graph.order());
  });
  return stats;
}

}  // namespace ptec::edge
