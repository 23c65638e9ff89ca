#include "partition/sort.h"

#include <algorithm>
#include <deque>
#include <string_view>

#include "support/error.h"

namespace ptec {
namespace {

constexpr std::string_view kFrontTargets[] = {
    "sym::add",
    "sym::eq",
    "sym::floordiv",
    "sym::ge",
    "sym::gt",
    "sym::le",
    "sym::lt",
    "sym::mod",
    "sym::mul",
    "sym::ne",
    "sym::sub",
    "sym::truediv",
    "aten::_assert_async.msg",
    "aten::_assert_scalar.default",
    "aten::scalar_tensor.default",
    "aten::sym_constrain_range.default",
    "aten::sym_constrain_range_for_size.default",
};

bool goes_to_front(const Node& node) {
  return std::find(std::begin(kFrontTargets), std::end(kFrontTargets), node.target) !=
         std::end(kFrontTargets);
}

}  // namespace

void sort_after_fusing(Graph& graph) {
  std::vector<std::uint32_t> waiting_for(graph.id_bound(), 0);
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
    for (const NodeId user : graph.at(id).users()) ++waiting_for[static_cast<std::size_t>(user)];
  }
  std::deque<NodeId> ready;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
    if (waiting_for[static_cast<std::size_t>(id)] == 0) ready.push_back(id);
  }
  std::vector<NodeId> order;
  order.reserve(graph.size());
  while (!ready.empty()) {
    const NodeId id = ready.front();
    ready.pop_front();
    order.push_back(id);
    for (const NodeId user : graph.at(id).users()) {
      if (--waiting_for[static_cast<std::size_t>(user)] != 0) continue;
      if (goes_to_front(graph.at(user))) {
        ready.push_front(user);
      } else {
        ready.push_back(user);
      }
    }
  }
  PTEC_INVARIANT(order.size() == graph.size(), "fusing a partition made a cycle");
  graph.reorder(order);
}

}  // namespace ptec
