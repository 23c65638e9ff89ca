#include "exec/requires_grad.h"

#include <set>

#include "ir/targets.h"
#include "ops/control_flow.h"
#include "ops/ops.h"
#include "tensorrt/engine_calls.h"

namespace ptec::edge {
namespace {

bool requires_grad(const Node& node) {
  if (const TensorMeta* tensor = node.value.tensor()) return tensor->requires_grad;
  return false;
}

/// Operators whose results after the first torch does not differentiate.
bool gives_statistics(std::string_view target) {
  return target == "aten::native_layer_norm.default" ||
         target == "aten::_native_batch_norm_legit_no_training.default" ||
         target == "aten::_native_batch_norm_legit.no_stats";
}

void set(TensorMeta& tensor, bool wanted) {
  tensor.requires_grad = wanted && (is_floating(tensor.dtype) || is_complex(tensor.dtype));
}

/// The results follow the operands. A parameter that a delegate reads does not count: the reference
/// has the delegate take it over.
void visit(Graph& graph, const std::set<NodeId>& parameters, Node& node) {
  if (node.target == kGetItem) {
    const Node& source = graph.at(*node.args[0].node());
    const std::size_t index = static_cast<std::size_t>(std::get<std::int64_t>(node.args[1].v));
    const TensorMeta* element = std::get_if<TensorMeta>(&(*source.value.list())[index]);
    if (element != nullptr && node.value.tensor() != nullptr)
      node.value.tensor()->requires_grad = element->requires_grad;
    return;
  }
  const OpSchema* schema = find_op(node.target);
  const bool delegated = node.target == kDelegateCall || tensorrt::is_engine_call(node);
  bool wanted = false;
  if (schema == nullptr || !schema->never_requires_grad) {
    for_each_input(node, [&](NodeId input) {
      wanted =
          wanted || (requires_grad(graph.at(input)) && !(delegated && parameters.contains(input)));
    });
  }
  if (TensorMeta* tensor = node.value.tensor()) set(*tensor, wanted);
  if (auto* list = std::get_if<std::vector<ValueItem>>(&node.value.v)) {
    const bool only_first = gives_statistics(node.target);
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (TensorMeta* tensor = std::get_if<TensorMeta>(&(*list)[i]))
        set(*tensor, wanted && (i == 0 || !only_first));
    }
  }
}

/// The inputs of the graphs of control flow are the operands.
void bind_inputs(Program& program, const Graph& graph, const ControlFlow& flow) {
  for (const GraphId id : flow.graphs) {
    Graph& inner = program.graph_of(id);
    for (std::size_t i = 0; i < inner.inputs.size(); ++i) {
      TensorMeta* tensor = inner.at(inner.inputs[i]).value.tensor();
      const NodeId* operand = flow.operand(i).node();
      if (tensor != nullptr && operand != nullptr) set(*tensor, requires_grad(graph.at(*operand)));
    }
  }
}

void propagate(Program& program, Graph& graph, const std::set<NodeId>& parameters) {
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
    Node& node = graph.at(id);
    if (node.kind != NodeKind::Call) continue;
    visit(graph, parameters, node);
    if (const std::optional<ControlFlow> flow = find_control_flow(node)) {
      bind_inputs(program, graph, *flow);
      for (const GraphId inner : flow->graphs) propagate(program, program.graph_of(inner), {});
    }
  }
}

/// A trace writes to the inputs themselves, so they require a gradient after a value that does was
/// written to them. Returns whether one was found.
bool mark_written_inputs(Graph& graph) {
  bool found = false;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
    const Node& node = graph.at(id);
    if (node.target != "aten::copy_.default" || node.args.size() < 2) continue;
    const NodeId* target = node.args[0].node();
    const NodeId* value = node.args[1].node();
    if (target == nullptr || value == nullptr) continue;
    Node& input = graph.at(*target);
    if (input.kind != NodeKind::Placeholder || input.value.tensor() == nullptr) continue;
    if (requires_grad(input) || !requires_grad(graph.at(*value))) continue;
    set(*input.value.tensor(), true);
    found = found || requires_grad(input);
  }
  return found;
}

}  // namespace

void propagate_requires_grad(Program& program) {
  std::set<NodeId> parameters;
  for (const InputSpec& input : program.inputs) {
    if (input.kind == InputKind::Parameter) parameters.insert(input.node);
  }
  do {
    propagate(program, program.graph, parameters);
  } while (mark_written_inputs(program.graph));
}

}  // namespace ptec::edge
