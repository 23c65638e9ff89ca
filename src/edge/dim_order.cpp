#include "edge/dim_order.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "edge/layouts.h"
#include "program/names.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

struct Row {
  std::string_view target;
  std::string_view with_dim_order;
};
constexpr Row kRows[] = {
    {"aten::_to_copy.default", "dim_order_ops::_to_dim_order_copy.default"},
    {"aten::clone.default", "dim_order_ops::_clone_dim_order.default"},
    {"aten::empty.memory_format", "dim_order_ops::_empty_dim_order.default"},
};

constexpr std::string_view kContiguousOnly[] = {
    "aten::_adaptive_avg_pool2d.default",
    "aten::avg_pool2d.default",
    "aten::expand_copy.default",
    "aten::mean.dim",
    "aten::sum.dim_IntList",
};

Argument dim_list(const DimOrder& order) {
  Argument::List out;
  for (const std::size_t dim : order) out.emplace_back(static_cast<std::int64_t>(dim));
  return out;
}

DimOrder plain_order(std::size_t rank) {
  DimOrder order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

DimOrder order_of_format(MemoryFormatCode format, std::size_t rank) {
  const auto code = static_cast<std::int64_t>(format);
  if (code == 1) return plain_order(rank);
  if (code == 2 && rank == 4) return {0, 2, 3, 1};
  fail(ErrorCode::Unsupported,
       code == 2 ? "memory format channels_last is for tensors with four dimensions"
                 : "memory format channels_last_3d has no dim order in ExecuTorch");
}

DimOrder wanted_order(const Program& program, const Node& node) {
  const NodeId* operand = node.args.at(0).node();
  const TensorMeta* tensor =
      operand == nullptr ? nullptr : program.graph.at(*operand).value.tensor();
  const Argument::List* sizes = node.args[0].list();
  const std::size_t rank = tensor != nullptr  ? tensor->sizes.size()
                           : sizes != nullptr ? sizes->size()
                                              : 0;
  for (const NamedArgument& argument : node.kwargs) {
    const auto* format = std::get_if<MemoryFormatCode>(&argument.value.v);
    if (argument.name != "memory_format" || format == nullptr) continue;
    if (static_cast<std::int64_t>(*format) != 4) return order_of_format(*format, rank);
  }
  return tensor != nullptr ? dim_order_of(program, *tensor) : plain_order(rank);
}

void rewrite(Program& program, NodeId id, std::string_view target) {
  Node& node = program.graph.at(id);
  std::vector<NamedArgument> kwargs;
  for (const NamedArgument& argument : node.kwargs) {
    if (argument.name != "memory_format") kwargs.push_back(argument);
  }
  kwargs.push_back({"dim_order", dim_list(wanted_order(program, node))});
  node.kwargs = std::move(kwargs);
  node.target = target;
}

bool takes_contiguous_only(const Node& node) {
  return std::find(std::begin(kContiguousOnly), std::end(kContiguousOnly), node.target) !=
         std::end(kContiguousOnly);
}

}  // namespace

DimOrderStats use_dim_orders(Program& program) {
  DimOrderStats stats;
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next) {
    const Node& node = program.graph.at(id);
    for (const Row& row : kRows) {
      if (node.target != row.target) continue;
      const Breadcrumb here("node", node.name);
      rewrite(program, id, row.with_dim_order);
      ++stats.rewritten;
      break;
    }
  }
  return stats;
}

DimOrderStats make_operands_contiguous(Program& program) {
  DimOrderStats stats;
  Graph& graph = program.graph;
  NameTable names(graph);
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    if (!takes_contiguous_only(graph.at(id))) continue;
    const Breadcrumb here("node", graph.at(id).name);
    const NodeId* operand = graph.at(id).args.at(0).node();
    const TensorMeta* tensor = operand == nullptr ? nullptr : graph.at(*operand).value.tensor();
    if (tensor == nullptr) continue;
    const DimOrder plain = plain_order(tensor->sizes.size());
    if (dim_order_of(program, *tensor) == plain) continue;
    Node copy;
    copy.name = names.unique("_to_dim_order_copy");
    copy.target = "dim_order_ops::_to_dim_order_copy.default";
    copy.args = {graph.at(id).args[0]};
    copy.kwargs = {{"dim_order", dim_list(plain)}};
    TensorMeta meta = *tensor;
    meta.strides = dense_strides(program.exprs, meta.sizes, plain);
    meta.storage_offset = 0;
    copy.value.v = std::move(meta);
    const NodeId inserted = graph.insert(std::move(copy), id);
    std::vector<Argument> args = graph.at(id).args;
    args[0] = Argument(inserted);
    graph.set_arguments(id, std::move(args), graph.at(id).kwargs);
    propagate_strides(program, {inserted});
    ++stats.rewritten;
  }
  return stats;
}

}  // namespace ptec::edge
