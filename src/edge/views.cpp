#include "edge/views.h"

#include <set>
#include <unordered_map>

#include "edge/layouts.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

struct Row {
  std::string_view view;
  std::string_view copy;
};
constexpr Row kRows[] = {
#define PTEC_VIEW(view, copy) {view, copy},
#include "edge/views.def"
#undef PTEC_VIEW
};

}  // namespace

std::string_view copy_of_view(std::string_view target) {
  static const std::unordered_map<std::string_view, std::string_view> copies = [] {
    std::unordered_map<std::string_view, std::string_view> out;
    for (const Row& row : kRows) out.emplace(row.view, row.copy);
    return out;
  }();
  const auto row = copies.find(target);
  return row == copies.end() ? std::string_view() : row->second;
}

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
    const Breadcrumb here = Breadcrumb::of_node(node.name, node.target);
    if (infer_strides(program, id)) changed.insert(id);
  }
  propagate_strides(program, std::move(changed));
  return stats;
}

}  // namespace ptec::edge
