#include "edge/promote.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/names.h"
#include "ops/layouts.h"
#include "ops/ops.h"
#include "ops/promotion.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

struct Row {
  std::string_view target;
  PromotionKind kind;
};
constexpr Row kRows[] = {
    {"aten::add.Tensor", PromotionKind::Default},
    {"aten::div.Tensor", PromotionKind::IntToFloat},
    {"aten::div.Tensor_mode", PromotionKind::Default},  // IntToFloat without a rounding mode
    {"aten::minimum.default", PromotionKind::Default},
    {"aten::mul.Tensor", PromotionKind::Default},
    {"aten::sub.Tensor", PromotionKind::Default},
};

PromotionKind kind_of(const Row& row, const Node& node) {
  if (row.target != "aten::div.Tensor_mode") return row.kind;
  const bool rounds =
      std::any_of(node.kwargs.begin(), node.kwargs.end(), [](const NamedArgument& argument) {
        return argument.name == "rounding_mode" && !argument.value.is_none();
      });
  return rounds ? PromotionKind::Default : PromotionKind::IntToFloat;
}

int cast_operands(Program& program, NodeId id, PromotionKind kind, NameTable& names) {
  Graph& graph = program.graph;
  std::vector<TypedOperand> operands;
  for (const Argument& argument : graph.at(id).args) {
    const std::optional<TypedOperand> operand = typed_operand(graph, argument);
    if (operand) operands.push_back(*operand);
  }
  const ScalarType wanted = result_type(operands, kind);
  std::vector<Argument> args = graph.at(id).args;
  int casts = 0;
  for (Argument& argument : args) {
    const NodeId* operand = argument.node();
    const TensorMeta* tensor = operand == nullptr ? nullptr : graph.at(*operand).value.tensor();
    if (tensor == nullptr || tensor->dtype == wanted) continue;
    Node cast;
    cast.name = names.unique("_to_copy");
    cast.target = "aten::_to_copy.default";
    cast.args = {argument};
    cast.kwargs = {{"dtype", Argument(wanted)}};
    TensorMeta meta = *tensor;
    meta.dtype = wanted;
    meta.storage_offset = 0;
    cast.value.v = std::move(meta);
    const NodeId inserted = graph.insert(std::move(cast), id);
    infer_strides(program, inserted);
    argument = Argument(inserted);
    ++casts;
  }
  if (casts > 0) graph.set_arguments(id, std::move(args), graph.at(id).kwargs);
  return casts;
}

}  // namespace

PromoteStats cast_mixed_types(Program& program) {
  PromoteStats stats;
  NameTable names(program.graph);
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next) {
    const Node& node = program.graph.at(id);
    if (node.kind != NodeKind::Call || node.args.size() < 2) continue;
    for (const Row& row : kRows) {
      if (node.target != row.target) continue;
      const Breadcrumb here("node", node.name);
      stats.casts += cast_operands(program, id, kind_of(row, node), names);
      break;
    }
  }
  return stats;
}

}  // namespace ptec::edge
