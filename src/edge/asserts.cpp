#include "edge/asserts.h"

#include <algorithm>
#include <iterator>

#include "edge/dead_code.h"

namespace ptec::edge {
namespace {

constexpr std::string_view kMetadataAssert = "aten::_assert_tensor_metadata.default";
constexpr std::string_view kAsserts[] = {
    "aten::_assert_async.msg",
    "aten::_assert_scalar.default",
    kMetadataAssert,
    "aten::sym_constrain_range.default",
    "aten::sym_constrain_range_for_size.default",
};

template <typename Holds>
AssertStats erase_where(Program& program, const Holds& holds) {
  AssertStats stats;
  Graph& graph = program.graph;
  NodeId next = kNoNode;
  for (NodeId id = graph.first(); id != kNoNode; id = next) {
    next = graph.at(id).next();
    if (!holds(graph.at(id))) continue;
    graph.erase(id);
    ++stats.removed;
  }
  if (stats.removed > 0) remove_dead_code(program);
  return stats;
}

}  // namespace

bool is_assert(std::string_view target) {
  return std::find(std::begin(kAsserts), std::end(kAsserts), target) != std::end(kAsserts);
}

AssertStats remove_metadata_asserts(Program& program) {
  return erase_where(program, [](const Node& node) { return node.target == kMetadataAssert; });
}

AssertStats remove_asserts(Program& program) {
  return erase_where(program, [](const Node& node) { return is_assert(node.target); });
}

}  // namespace ptec::edge
