#include "exec/view_elision.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "edge/dead_code.h"
#include "ir/targets.h"

namespace ptec::edge {
namespace {

constexpr std::string_view kViewCopy = "aten::view_copy.default";

void show_first_base(Graph& graph) {
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    if (graph.at(id).target != kViewCopy) continue;
    const Node& base = graph.at(*graph.at(id).args.at(0).node());
    if (base.target != kViewCopy) continue;
    std::vector<Argument> args = graph.at(id).args;
    args[0] = base.args.at(0);
    graph.set_arguments(id, std::move(args), graph.at(id).kwargs);
  }
}

bool is_returned(const Graph& graph, const Node& node) {
  return std::any_of(node.users.begin(), node.users.end(), [&graph](NodeId user) {
    return graph.at(user).kind == NodeKind::Output;
  });
}

bool elide(Program& program, Node& node) {
  const Node& base_node = program.graph.at(*node.args.at(0).node());
  if (base_node.specs.size() != 1 || node.specs.size() != 1) return false;
  const SpecId base = program.storage_of(base_node.specs[0]);
  TensorSpec& view = program.spec(node.specs[0]);
  const TensorSpec& shown = program.spec(base);
  if (view.dynamic != shown.dynamic || view.dtype != shown.dtype) return false;
  view.view_base = base;
  view.constant = shown.constant;
  view.constant_fqn = shown.constant_fqn;
  view.requires_grad = shown.requires_grad;
  view.cuda_index = shown.cuda_index;
  node.target = kView;
  return true;
}

}  // namespace

ViewElisionStats elide_views(Program& program) {
  ViewElisionStats stats;
  show_first_base(program.graph);
  remove_dead_code(program);
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next) {
    Node& node = program.graph.at(id);
    if (node.target == kViewCopy && !is_returned(program.graph, node) && elide(program, node))
      ++stats.elided;
  }
  return stats;
}

}  // namespace ptec::edge
