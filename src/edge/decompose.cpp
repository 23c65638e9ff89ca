#include "edge/decompose.h"

#include "program/subgraphs.h"

namespace ptec::edge {
namespace {

std::size_t rank_of(const Graph& graph, const Argument& argument) {
  const NodeId* node = argument.node();
  const TensorMeta* tensor = node == nullptr ? nullptr : graph.at(*node).value.tensor();
  return tensor == nullptr ? 0 : tensor->sizes.size();
}

bool matmul_of_matrices(Graph& graph, Node& node) {
  if (node.args.size() != 2 || rank_of(graph, node.args[0]) != 2 ||
      rank_of(graph, node.args[1]) != 2)
    return false;
  node.target = "aten::mm.default";
  return true;
}

/// `softmax.int(x, dim, dtype=None)` without a change of type.
bool softmax_to(std::string_view target, Node& node) {
  const bool casts = node.args.size() > 2 && !node.args[2].is_none();
  if (casts || node.args.size() < 2 || !node.kwargs.empty()) return false;
  node.target = target;
  node.args.resize(2);
  node.args.emplace_back(false);  // half_to_float
  return true;
}

bool softmax(Graph&, Node& node) { return softmax_to("aten::_softmax.default", node); }
bool log_softmax(Graph&, Node& node) { return softmax_to("aten::_log_softmax.default", node); }

struct Rule {
  std::string_view target;
  bool (*apply)(Graph&, Node&);
};

constexpr Rule kRules[] = {{"aten::log_softmax.int", log_softmax},
                           {"aten::matmul.default", matmul_of_matrices},
                           {"aten::softmax.int", softmax}};

}  // namespace

DecomposeStats decompose(Program& program) {
  DecomposeStats stats;
  for_each_graph(program.graph, [&stats](Graph& graph) {
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
      for (const Rule& rule : kRules) {
        if (graph.at(id).target == rule.target && rule.apply(graph, graph.at(id)))
          ++stats.rewritten;
      }
    }
  });
  return stats;
}

}  // namespace ptec::edge
