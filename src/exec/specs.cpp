#include "exec/specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "ir/mutations.h"
#include "ir/subgraphs.h"
#include "ir/targets.h"
#include "ops/layouts.h"
#include "support/error.h"
#include "support/limits.h"

namespace ptec::edge {
namespace {

TensorSpec spec_of(const Program& program, const TensorMeta& tensor) {
  if (tensor.sizes.size() > kMaxPteRank) {
    fail(ProblemId::TensorRank,
         fmt::format("the tensor has {} dimensions", tensor.sizes.size()),
         {{"limit", std::to_string(kMaxPteRank)}});
  }
  if (info(tensor.dtype).pte_code < 0) {
    fail(ProblemId::TensorType,
         fmt::format("element type {} does not exist in ExecuTorch", info(tensor.dtype).name));
  }
  TensorSpec spec;
  spec.dtype = tensor.dtype;
  spec.sizes = tensor.sizes;
  spec.strides = tensor.strides;
  for (const std::size_t dim : dim_order_of(program, tensor))
    spec.dim_order.push_back(static_cast<std::uint8_t>(dim));
  spec.dynamic = std::any_of(
      tensor.sizes.begin(), tensor.sizes.end(), [](const Dim& dim) { return !dim.is_number(); });
  spec.requires_grad = tensor.requires_grad;
  return spec;
}

bool is_constant(InputKind kind) {
  return kind == InputKind::Parameter || kind == InputKind::Buffer ||
         kind == InputKind::TensorConstant;
}

std::vector<SpecId> specs_for(ExecProgram& exec, const Graph& graph, const Node& node) {
  const Program& program = exec.program;
  std::vector<SpecId> specs;
  if (node.target == kGetItem) {
    specs.push_back(exec.specs_of(graph, *node.args[0].node())
                        .at(static_cast<std::size_t>(std::get<std::int64_t>(node.args[1].v))));
  } else if (node.kind == NodeKind::Output) {
    // What is returned keeps the specs that it has now. When a copy from the device takes the place
    // of a result later, the result on the device still counts as alive to the end: the reference
    // plans it so.
    for_each_input(node, [&](NodeId result) {
      const std::vector<SpecId>& returned = exec.specs_of(graph, result);
      specs.insert(specs.end(), returned.begin(), returned.end());
    });
  } else if (const TensorMeta* tensor = node.value.tensor()) {
    specs.push_back(exec.add_spec(spec_of(program, *tensor)));
    if (node.target == kConstant) {
      TensorSpec& spec = exec.spec(specs[0]);
      spec.constant = true;
      spec.constant_fqn = std::get<std::string>(node.args.at(0).v);
    }
  } else if (const std::vector<ValueItem>* list = node.value.list()) {
    for (const ValueItem& item : *list) {
      const TensorMeta* element = std::get_if<TensorMeta>(&item);
      specs.push_back(element == nullptr ? kNoSpec : exec.add_spec(spec_of(program, *element)));
    }
  }
  return specs;
}

}  // namespace

void make_specs(ExecProgram& exec) {
  const Program& program = exec.program;
  exec.clear_specs();
  for_each_graph(program, [&exec](const Graph& graph) {
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
      const Breadcrumb here = Breadcrumb::of_node(graph.at(id).name, graph.at(id).target);
      exec.set_specs(graph, id, specs_for(exec, graph, graph.at(id)));
    }
  });
  const std::set<std::string, std::less<>> mutated = mutated_buffers(program);
  for (const InputSpec& input : program.inputs) {
    if (!is_constant(input.kind)) continue;
    if (input.kind == InputKind::Buffer && mutated.contains(input.target)) continue;
    for (const SpecId id : exec.specs_of(program.graph, input.node)) {
      exec.spec(id).constant = true;
      exec.spec(id).constant_fqn = input.target;
    }
  }
}

}  // namespace ptec::edge
