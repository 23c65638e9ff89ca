#include "ir/mutations.h"

namespace ptec {

bool is_mutation(OutputKind kind) {
  return kind == OutputKind::BufferMutation || kind == OutputKind::ParameterMutation ||
         kind == OutputKind::UserInputMutation;
}

std::set<std::string, std::less<>> mutated_buffers(const Program& program) {
  std::set<std::string, std::less<>> buffers;
  for (const OutputSpec& output : program.outputs) {
    if (output.kind == OutputKind::BufferMutation) buffers.insert(output.target);
  }
  return buffers;
}

NodeId find_mutated_input(const Program& program, const OutputSpec& mutation) {
  for (const InputSpec& input : program.inputs) {
    switch (mutation.kind) {
      case OutputKind::BufferMutation:
        if (input.kind == InputKind::Buffer && input.target == mutation.target) return input.node;
        break;
      case OutputKind::ParameterMutation:
        if (input.kind == InputKind::Parameter && input.target == mutation.target)
          return input.node;
        break;
      case OutputKind::UserInputMutation:
        if (input.kind == InputKind::UserInput &&
            program.graph.at(input.node).name == mutation.target)
          return input.node;
        break;
      default:
        break;
    }
  }
  return kNoNode;
}

}  // namespace ptec
