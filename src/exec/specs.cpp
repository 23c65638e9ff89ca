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
    fail(ErrorCode::Unsupported,
         fmt::format("the tensor has {} dimensions; an ExecuTorch program has at most {}",
                     tensor.sizes.size(),
                     kMaxPteRank));
  }
  if (info(tensor.dtype).pte_code < 0) {
    fail(ErrorCode::Unsupported,
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

void visit(Program& program, const Graph& graph, Node& node) {
  node.specs.clear();
  if (node.target == kGetItem) {
    const Node& source = graph.at(*node.args[0].node());
    node.specs.push_back(
        source.specs.at(static_cast<std::size_t>(std::get<std::int64_t>(node.args[1].v))));
  } else if (node.kind == NodeKind::Output) {
    // What is returned keeps the specs that it has now. When a copy from the device takes the place
    // of a result later, the result on the device still counts as alive to the end: the reference
    // plans it so.
    for_each_input(node, [&](NodeId result) {
      const Node& returned = graph.at(result);
      node.specs.insert(node.specs.end(), returned.specs.begin(), returned.specs.end());
    });
  } else if (const TensorMeta* tensor = node.value.tensor()) {
    node.specs.push_back(program.add_spec(spec_of(program, *tensor)));
    if (node.target == kConstant) {
      TensorSpec& spec = program.spec(node.specs[0]);
      spec.constant = true;
      spec.constant_fqn = std::get<std::string>(node.args.at(0).v);
    }
  } else if (const std::vector<ValueItem>* list = node.value.list()) {
    for (const ValueItem& item : *list) {
      const TensorMeta* element = std::get_if<TensorMeta>(&item);
      node.specs.push_back(element == nullptr ? kNoSpec
                                              : program.add_spec(spec_of(program, *element)));
    }
  }
}

}  // namespace

void make_specs(Program& program) {
  program.specs.clear();
  for_each_graph(program.graph, [&program](Graph& graph) {
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
      Node& node = graph.at(id);
      const Breadcrumb here("node", node.name);
      visit(program, graph, node);
    }
  });
  const std::set<std::string, std::less<>> mutated = mutated_buffers(program);
  for (const InputSpec& input : program.inputs) {
    if (!is_constant(input.kind)) continue;
    if (input.kind == InputKind::Buffer && mutated.contains(input.target)) continue;
    for (const SpecId id : program.graph.at(input.node).specs) {
      program.spec(id).constant = true;
      program.spec(id).constant_fqn = input.target;
    }
  }
}

}  // namespace ptec::edge
