#include "edge/no_ops.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ptec::edge {
namespace {

bool is_static(const TensorMeta& tensor) {
  return std::all_of(
      tensor.sizes.begin(), tensor.sizes.end(), [](const Dim& dim) { return dim.is_number(); });
}

bool is_empty(const TensorMeta& tensor) {
  return std::find(tensor.sizes.begin(), tensor.sizes.end(), Dim(0)) != tensor.sizes.end();
}

const TensorMeta* operand_of(const Graph& graph, const Node& node) {
  const NodeId* operand = node.args.empty() ? nullptr : node.args[0].node();
  return operand == nullptr ? nullptr : graph.at(*operand).value.tensor();
}

bool keeps_whole(const Graph& graph, const Node& node) {
  const TensorMeta* operand = operand_of(graph, node);
  const TensorMeta* result = node.value.tensor();
  return node.target == "aten::slice_copy.Tensor" && operand != nullptr && result != nullptr &&
         is_static(*operand) && is_static(*result) && operand->sizes == result->sizes;
}

bool copies_only(const Graph& graph, const Node& node) {
  const TensorMeta* operand = operand_of(graph, node);
  const TensorMeta* result = node.value.tensor();
  return node.target == "aten::_to_copy.default" && operand != nullptr && result != nullptr &&
         operand->dtype == result->dtype && operand->device == result->device &&
         operand->sizes == result->sizes && operand->strides == result->strides;
}

int replace_where(Graph& graph, bool (*holds)(const Graph&, const Node&)) {
  int removed = 0;
  NodeId next = kNoNode;
  for (NodeId id = graph.first(); id != kNoNode; id = next) {
    next = graph.at(id).next();
    if (!holds(graph, graph.at(id))) continue;
    graph.replace_all_uses(id, *graph.at(id).args[0].node());
    graph.erase(id);
    ++removed;
  }
  return removed;
}

/// The operands of a `cat` that have elements; when none has, the `cat` becomes an empty `full`.
int prune_cat(Graph& graph, NodeId id) {
  const Node& node = graph.at(id);
  const Argument::List* operands = node.args.empty() ? nullptr : node.args[0].list();
  const TensorMeta* result = node.value.tensor();
  if (node.target != "aten::cat.default" || operands == nullptr || result == nullptr) return 0;
  Argument::List kept;
  for (const Argument& operand : *operands) {
    const NodeId* input = operand.node();
    const TensorMeta* tensor = input == nullptr ? nullptr : graph.at(*input).value.tensor();
    if (tensor == nullptr || !is_empty(*tensor)) kept.push_back(operand);
  }
  if (kept.size() == operands->size()) return 0;
  const int pruned = static_cast<int>(operands->size() - kept.size());
  std::vector<Argument> args = node.args;
  std::vector<NamedArgument> kwargs = node.kwargs;
  if (kept.empty()) {
    if (!is_static(*result)) return 0;
    Argument::List sizes;
    for (const Dim& size : result->sizes) sizes.emplace_back(size.number());
    args = {Argument(std::move(sizes)), Argument(std::int64_t{0})};
    kwargs = {{"dtype", Argument(result->dtype)}};
    graph.at(id).target = "aten::full.default";
  } else {
    args[0] = Argument(std::move(kept));
  }
  graph.set_arguments(id, std::move(args), std::move(kwargs));
  return pruned;
}

}  // namespace

NoOpStats remove_no_ops(Program& program) {
  NoOpStats stats;
  Graph& graph = program.graph;
  stats.removed += replace_where(graph, keeps_whole);
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next())
    stats.removed += prune_cat(graph, id);
  stats.removed += replace_where(graph, copies_only);
  return stats;
}

}  // namespace ptec::edge
