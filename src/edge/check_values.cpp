#include "edge/check_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ops/infer.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

bool may_be_equal(const Dim& a, const Dim& b) { return !a.is_number() || !b.is_number() || a == b; }

bool agree(const TensorMeta& recorded, const TensorMeta& inferred) {
  return recorded.dtype == inferred.dtype && recorded.sizes.size() == inferred.sizes.size() &&
         std::equal(
             recorded.sizes.begin(), recorded.sizes.end(), inferred.sizes.begin(), may_be_equal);
}

std::string text_of(const Program& program, const TensorMeta& tensor) {
  std::string sizes;
  for (const Dim& size : tensor.sizes)
    sizes += (sizes.empty() ? "" : ", ") + program.exprs.print(size);
  return fmt::format("{}[{}]", info(tensor.dtype).name, sizes);
}

const TensorMeta* element(const Value& value, std::size_t index) {
  if (const std::vector<ValueItem>* list = value.list())
    return index < list->size() ? std::get_if<TensorMeta>(&(*list)[index]) : nullptr;
  return index == 0 ? value.tensor() : nullptr;
}

std::size_t element_count(const Value& value) {
  const std::vector<ValueItem>* list = value.list();
  return list == nullptr ? 1 : list->size();
}

/// What disagrees, empty when nothing does.
std::string disagreement(const Program& program, const Node& node, const Value& inferred) {
  if (element_count(node.value) != element_count(inferred)) {
    return fmt::format("{} returns {} values, but the archive records {}",
                       node.target,
                       element_count(inferred),
                       element_count(node.value));
  }
  for (std::size_t i = 0; i < element_count(inferred); ++i) {
    const TensorMeta* wanted = element(inferred, i);
    const TensorMeta* found = element(node.value, i);
    if (wanted == nullptr || found == nullptr || agree(*found, *wanted)) continue;
    return fmt::format("{} returns {}, but the archive records {}",
                       node.target,
                       text_of(program, *wanted),
                       text_of(program, *found));
  }
  return {};
}

}  // namespace

void check_recorded_values(Program& program) {
  std::vector<std::string> problems;
  Graph& graph = program.graph;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
    const Node& node = graph.at(id);
    if (node.kind != NodeKind::Call || !can_infer(node.target)) continue;
    const Breadcrumb here = Breadcrumb::of_node(node.name, node.target);
    const std::optional<Value> inferred = infer_value(program, node);
    if (!inferred) continue;  // the passes after this one need no rule for it
    const std::string problem = disagreement(program, node, *inferred);
    if (!problem.empty()) problems.push_back(Breadcrumb::trail() + problem);
  }
  if (!problems.empty()) throw Error(ErrorCode::Malformed, std::move(problems));
}

}  // namespace ptec::edge
