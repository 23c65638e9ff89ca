#include "edge/dim_order.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "edge/asserts.h"
#include "ir/names.h"
#include "ir/targets.h"
#include "ops/control_flow.h"
#include "ops/layouts.h"
#include "ops/ops.h"
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

Argument dim_list(const DimOrder& order) {
  Argument::List out;
  for (const std::size_t dim : order) out.emplace_back(static_cast<std::int64_t>(dim));
  return out;
}

DimOrder order_of_format(MemoryFormatCode format, std::size_t rank) {
  const auto code = static_cast<std::int64_t>(format);
  if (code == 1) return plain_order(rank);
  if (code == 2 && rank == 4) return kChannelsLastOrder;
  fail(ProblemId::MemoryFormat,
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

bool is_plain(const DimOrder& order) { return order == plain_order(order.size()); }

bool is_channels_last_order(const DimOrder& order) { return order == kChannelsLastOrder; }

/// Whether the node's kernel takes its operands as they lie.
bool takes_operands(const Program& program, const Node& node) {
  if (node.target == kGetItem || is_control_flow(node.target) || is_assert(node.target))
    return true;
  std::vector<DimOrder> orders;
  for_each_input(node, [&](NodeId input) {
    if (const TensorMeta* tensor = program.graph.at(input).value.tensor())
      orders.push_back(dim_order_of(program, *tensor));
  });
  if (std::all_of(orders.begin(), orders.end(), is_plain)) return true;
  if (writes_in_place(node.target)) {  // what is written to stays what it is
    return std::all_of(orders.begin(), orders.end(), [&orders](const DimOrder& order) {
      return order == orders[0];
    });
  }
  const KernelOrders taken = kernel_orders(node.target);
  if (taken == KernelOrders::Plain) return false;
  if (taken == KernelOrders::First) return is_plain(orders[0]) || is_channels_last_order(orders[0]);
  const bool copies = node.target.compare(0, 13, "dim_order_ops") == 0;
  return copies || (is_channels_last_order(orders[0]) &&
                    std::all_of(orders.begin(), orders.end(), [&orders](const DimOrder& order) {
                      return order == orders[0];
                    }));
}

class ContiguousCopies {
 public:
  explicit ContiguousCopies(Program& program)
      : program_(program), graph_(program.graph), names_(program.graph), strides_(program) {}

  DimOrderStats run() {
    for (NodeId id = graph_.first(); id != kNoNode; id = graph_.at(id).next()) {
      if (graph_.at(id).kind != NodeKind::Call) continue;
      const Breadcrumb here = Breadcrumb::of_node(graph_.at(id).name, graph_.at(id).target);
      if (!takes_operands(program_, graph_.at(id))) copy_operands_of(id);
      strides_.visit(id);
      if (order_results(id)) strides_.note(id);
    }
    return stats_;
  }

 private:
  void copy_operands_of(NodeId id) {
    std::vector<Argument> args = graph_.at(id).args;
    std::vector<NamedArgument> kwargs = graph_.at(id).kwargs;
    const bool writes = writes_in_place(graph_.at(id).target);
    if (writes && !is_plain(dim_order_of(program_, *operand_of(id))))
      fail(ProblemId::ChannelsLastWrite,
           "a channels-last tensor that is written to takes values of its own layout only");
    for (std::size_t i = writes ? 1 : 0; i < args.size(); ++i) copy_operand(args[i], id);
    for (NamedArgument& argument : kwargs) copy_operand(argument.value, id);
    graph_.set_arguments(id, std::move(args), std::move(kwargs));
  }

  /// Null where the first argument is no tensor.
  const TensorMeta* operand_of(NodeId id) const {
    const Node& node = graph_.at(id);
    const NodeId* operand = node.args.empty() ? nullptr : node.args[0].node();
    return operand == nullptr ? nullptr : graph_.at(*operand).value.tensor();
  }

  /// A kernel that takes several orders writes in the order of its first operand; torch gives some
  /// results another one: by a weight's layout, or because dims of size 1 leave it open. True when
  /// a result lies otherwise now.
  bool order_results(NodeId id) {
    Node& node = graph_.at(id);
    const TensorMeta* operand = operand_of(id);
    if (operand == nullptr || operand->sizes.size() != 4 || !has_layout_rule(node.target) ||
        kernel_orders(node.target) == KernelOrders::Plain ||
        node.target.compare(0, 13, "dim_order_ops") == 0)
      return false;
    const DimOrder wanted = dim_order_of(program_, *operand);
    bool changed = false;
    const auto order = [&](TensorMeta& result) {
      if (result.sizes.size() != 4 || dim_order_of(program_, result) == wanted) return;
      std::vector<Dim> strides = dense_strides(program_.exprs, result.sizes, wanted);
      changed = changed || strides != result.strides;
      result.strides = std::move(strides);
    };
    if (TensorMeta* tensor = node.value.tensor()) order(*tensor);
    if (auto* list = std::get_if<std::vector<ValueItem>>(&node.value.v)) {
      for (ValueItem& item : *list) {
        if (auto* tensor = std::get_if<TensorMeta>(&item)) order(*tensor);
      }
    }
    return changed;
  }

  void copy_operand(Argument& argument, NodeId user) {
    if (auto* list = std::get_if<Argument::List>(&argument.v)) {
      for (Argument& item : *list) copy_operand(item, user);
      return;
    }
    const NodeId* operand = argument.node();
    const TensorMeta* tensor = operand == nullptr ? nullptr : graph_.at(*operand).value.tensor();
    if (tensor == nullptr || is_plain(dim_order_of(program_, *tensor))) return;
    const DimOrder plain = plain_order(tensor->sizes.size());
    Node copy;
    copy.name = names_.unique("_to_dim_order_copy");
    copy.target = "dim_order_ops::_to_dim_order_copy.default";
    copy.args = {argument};
    copy.kwargs = {{"dim_order", dim_list(plain)}};
    TensorMeta meta = *tensor;
    meta.strides = dense_strides(program_.exprs, meta.sizes, plain);
    meta.storage_offset = 0;
    copy.value.v = std::move(meta);
    const NodeId inserted = graph_.insert(std::move(copy), user);
    argument = Argument(inserted);
    strides_.note(inserted);
    ++stats_.rewritten;
  }

  Program& program_;
  Graph& graph_;
  NameTable names_;
  StrideUpdate strides_;
  DimOrderStats stats_;
};

}  // namespace

DimOrderStats use_dim_orders(Program& program) {
  DimOrderStats stats;
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next()) {
    const Node& node = program.graph.at(id);
    for (const Row& row : kRows) {
      if (node.target != row.target) continue;
      const Breadcrumb here = Breadcrumb::of_node(node.name, node.target);
      rewrite(program, id, row.with_dim_order);
      ++stats.rewritten;
      break;
    }
  }
  return stats;
}

DimOrderStats make_operands_contiguous(Program& program) { return ContiguousCopies(program).run(); }

}  // namespace ptec::edge
