#include "ops/missing_kernels.h"

#include <map>

#include "ir/subgraphs.h"
#include "ops/ops.h"
#include "support/printable.h"

namespace ptec::edge {
namespace {

constexpr std::size_t kMaxNodesNamed = 4;  // for each operator of a message

using ByKernel = std::map<std::string_view, std::vector<std::string>>;

void collect(const Graph& graph, ByKernel& out) {
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    const Node& node = graph.at(id);
    if (node.kind != NodeKind::Call) continue;
    const OpSchema* schema = find_op(node.target);
    if (schema == nullptr) schema = find_op_by_out(node.target);
    if (schema != nullptr && !schema->has_kernel) out[schema->out].push_back(node.name);
    for_each_subgraph(node, [&out](const Graph& body) { collect(body, out); });
  }
}

std::string nodes_text(const std::vector<std::string>& nodes) {
  std::string out = nodes.size() == 1 ? "node " : "nodes ";
  for (std::size_t i = 0; i < nodes.size() && i < kMaxNodesNamed; ++i) {
    if (i > 0) out += ", ";
    out += "'" + printable(nodes[i]) + "'";
  }
  if (nodes.size() > kMaxNodesNamed)
    out += " and " + std::to_string(nodes.size() - kMaxNodesNamed) + " more";
  return out;
}

}  // namespace

std::vector<MissingKernel> find_missing_kernels(const Graph& graph) {
  ByKernel by_kernel;
  collect(graph, by_kernel);
  std::vector<MissingKernel> out;
  for (auto& [kernel, nodes] : by_kernel) out.push_back({std::string(kernel), std::move(nodes)});
  return out;
}

std::string missing_kernels_text(const std::vector<MissingKernel>& missing) {
  std::string out;
  for (const MissingKernel& one : missing) {
    if (!out.empty()) out += ", ";
    out += one.kernel + " (" + nodes_text(one.nodes) + ")";
  }
  return out;
}

}  // namespace ptec::edge
