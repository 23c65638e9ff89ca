#include "edge/copy_views.h"

#include <set>

#include "ops/layouts.h"
#include "ops/views.h"
#include "support/error.h"

namespace ptec::edge {
ViewStats copy_views(Program& program) {
  ViewStats stats;
  std::set<NodeId> changed;
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next) {
    Node& node = program.graph.at(id);
    const std::string_view copy = copy_of_view(node.target);
    if (copy.empty()) continue;
    node.target = copy;
    ++stats.rewritten;
    // A view of a larger storage starts somewhere in it; a copy starts at 0.
    if (TensorMeta* tensor = node.value.tensor()) tensor->storage_offset = 0;
    if (auto* list = std::get_if<std::vector<ValueItem>>(&node.value.v)) {
      for (ValueItem& item : *list) {
        if (TensorMeta* tensor = std::get_if<TensorMeta>(&item)) tensor->storage_offset = 0;
      }
    }
    const Breadcrumb here("node", node.name);
    if (infer_strides(program, id)) changed.insert(id);
  }
  propagate_strides(program, std::move(changed));
  return stats;
}

}  // namespace ptec::edge
