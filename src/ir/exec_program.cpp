#include "ir/exec_program.h"

#include <utility>

namespace ptec {

SpecId ExecProgram::add_spec(TensorSpec spec) {
  specs.push_back(std::move(spec));
  return SpecId{static_cast<std::uint32_t>(specs.size() - 1)};
}

SpecId ExecProgram::storage_of(SpecId id) const {
  return id == kNoSpec || spec(id).view_base == kNoSpec ? id : spec(id).view_base;
}

const std::vector<SpecId>& ExecProgram::specs_of(const Graph& graph, NodeId node) const {
  static const std::vector<SpecId> kNone;
  const auto place = static_cast<std::size_t>(graph.id());
  const auto index = static_cast<std::size_t>(node);
  if (place >= by_node_.size() || index >= by_node_[place].size()) return kNone;
  return by_node_[place][index];
}

void ExecProgram::set_specs(const Graph& graph, NodeId node, std::vector<SpecId> given) {
  const auto place = static_cast<std::size_t>(graph.id());
  const auto index = static_cast<std::size_t>(node);
  if (place >= by_node_.size()) by_node_.resize(program.subgraphs.size() + 1);
  if (index >= by_node_[place].size()) by_node_[place].resize(graph.id_bound());
  by_node_[place][index] = std::move(given);
}

void ExecProgram::clear_specs() {
  specs.clear();
  by_node_.clear();
}

}  // namespace ptec
