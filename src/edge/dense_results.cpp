#include "edge/dense_results.h"

#include <vector>

#include "edge/decompose.h"
#include "ops/infer.h"
#include "ops/layouts.h"
#include "support/error.h"
#include "tensorrt/engine_calls.h"

namespace ptec::edge {
namespace {

bool writes_rows(const Node& node) {
  return tensorrt::is_engine_call(node) || node.target == "aten::nonzero.default";
}

bool make_dense(Program& program, TensorMeta& tensor) {
  std::vector<Dim> strides =
      dense_strides(program.exprs, tensor.sizes, plain_order(tensor.sizes.size()));
  const bool changed = tensor.strides != strides || tensor.storage_offset != Dim(0);
  tensor.strides = std::move(strides);
  tensor.storage_offset = 0;
  return changed;
}

bool make_dense(Program& program, Value& value) {
  if (TensorMeta* tensor = value.tensor()) return make_dense(program, *tensor);
  auto* list = std::get_if<std::vector<ValueItem>>(&value.v);
  bool changed = false;
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    auto* tensor = std::get_if<TensorMeta>(&(*list)[i]);
    changed = (tensor != nullptr && make_dense(program, *tensor)) || changed;
  }
  return changed;
}

}  // namespace

DenseResultStats use_dense_results(Program& program) {
  DenseResultStats stats;
  StrideUpdate strides(program);
  Graph& graph = program.graph;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
    Node& node = graph.at(id);
    const Breadcrumb here = Breadcrumb::of_node(node.name, node.target);
    if (writes_rows(node)) {
      if (!make_dense(program, node.value)) continue;
      strides.note(id);
      ++stats.reset;
    } else if (can_infer(node.target) || !has_decomposition(node.target)) {
      strides.visit(id);
    }
  }
  return stats;
}

}  // namespace ptec::edge
