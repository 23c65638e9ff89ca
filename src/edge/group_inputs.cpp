#include "edge/group_inputs.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ptec::edge {
namespace {

enum Group : int { kTokens, kParameters, kBuffers, kObjects, kCallers };

int group_of(InputKind kind) {
  switch (kind) {
    case InputKind::Token:
      return kTokens;
    case InputKind::Parameter:
      return kParameters;
    case InputKind::Buffer:
    case InputKind::TensorConstant:
      return kBuffers;
    case InputKind::CustomObject:
      return kObjects;
    case InputKind::UserInput:
    case InputKind::ConstantInput:
      return kCallers;
  }
  return kCallers;
}

/// The modules that a re-trace makes of the names: one is made when the first name needs it, and
/// tensors are listed module by module, a module's own before those of its submodules.
class Modules {
 public:
  Modules() : children_(1) {}

  /// The module that owns the tensor "stem.1.weight": "stem.1".
  std::size_t owner_of(std::string_view name) {
    std::size_t module = 0;
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
      module = child(module, name.substr(0, dot));
      name.remove_prefix(dot + 1);
    }
    return module;
  }

  /// For each module its place when they are listed, submodules in the order they were made in.
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> places(children_.size());
    std::vector<std::size_t> waiting = {0};
    for (std::size_t next = 0; !waiting.empty(); ++next) {
      const std::size_t module = waiting.back();
      waiting.pop_back();
      places[module] = next;
      waiting.insert(waiting.end(), children_[module].rbegin(), children_[module].rend());
    }
    return places;
  }

 private:
  std::size_t child(std::size_t parent, std::string_view name) {
    const auto [found, added] = by_name_.try_emplace({parent, std::string(name)}, children_.size());
    if (added) {
      children_[parent].push_back(found->second);
      children_.emplace_back();
    }
    return found->second;
  }

  std::vector<std::vector<std::size_t>> children_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> by_name_;
};

/// The inputs in the order that one re-trace gives them.
std::vector<std::size_t> traced_order(const std::vector<InputSpec>& inputs) {
  Modules modules;
  std::vector<std::size_t> owners(inputs.size(), 0);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const int group = group_of(inputs[i].kind);
    if (group == kParameters || group == kBuffers) owners[i] = modules.owner_of(inputs[i].target);
  }
  const std::vector<std::size_t> places = modules.places();
  std::vector<std::size_t> order(inputs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) {
    // A trace enters constants among the buffers of their module, behind its own.
    return std::tuple(
        group_of(inputs[i].kind), places[owners[i]], inputs[i].kind == InputKind::TensorConstant);
  };
  std::stable_sort(
      order.begin(), order.end(), [&key](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return order;
}

bool retrace(std::vector<InputSpec>& inputs) {
  const std::vector<std::size_t> order = traced_order(inputs);
  if (std::is_sorted(order.begin(), order.end())) return false;
  std::vector<InputSpec> sorted;
  sorted.reserve(inputs.size());
  for (const std::size_t index : order) sorted.push_back(std::move(inputs[index]));
  inputs = std::move(sorted);
  return true;
}

}  // namespace

GroupInputsStats group_inputs(Program& program) {
  // The second trace makes the modules of parameters first, since they come first then.
  if (!retrace(program.inputs)) return {};
  retrace(program.inputs);
  std::vector<NodeId> order;
  order.reserve(program.graph.size());
  for (const InputSpec& input : program.inputs) order.push_back(input.node);
  program.graph.inputs = order;
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next()) {
    if (program.graph.at(id).kind != NodeKind::Placeholder) order.push_back(id);
  }
  program.graph.reorder(order);
  return {true};
}

}  // namespace ptec::edge
