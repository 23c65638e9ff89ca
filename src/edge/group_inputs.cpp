#include "edge/group_inputs.h"

#include <algorithm>
#include <vector>

namespace ptec::edge {
namespace {

int group_of(InputKind kind) {
  switch (kind) {
    case InputKind::Token:
      return 0;
    case InputKind::Parameter:
      return 1;
    case InputKind::Buffer:
      return 2;
    case InputKind::TensorConstant:
      return 3;
    case InputKind::CustomObject:
      return 4;
    case InputKind::UserInput:
    case InputKind::ConstantInput:
      return 5;
  }
  return 5;
}

}  // namespace

GroupInputsStats group_inputs(Program& program) {
  const auto before = [](const InputSpec& a, const InputSpec& b) {
    return group_of(a.kind) < group_of(b.kind);
  };
  if (std::is_sorted(program.inputs.begin(), program.inputs.end(), before)) return {};
  std::stable_sort(program.inputs.begin(), program.inputs.end(), before);
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
