#include "ops/layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "ir/targets.h"
#include "ir/tensor_layout.h"
#include "ops/control_flow.h"
#include "ops/dims.h"
#include "ops/infer.h"
#include "ops/ops.h"
#include "ops/views.h"
#include "support/error.h"
#include "tensorrt/engine_calls.h"

namespace ptec::edge {
namespace {

enum class LayoutRule {
  Contiguous,
  Arithmetic,
  Pointwise,
  Preserved,
  Suggested,
  AnySuggested,
  AllSuggested,
  Normalized,
};

struct LayoutRow {
  std::string_view target;
  LayoutRule rule;
  KernelOrders orders;
};
constexpr LayoutRow kRows[] = {
#define PTEC_LAYOUT_RULE(target, rule, orders) {target, LayoutRule::rule, KernelOrders::orders},
#include "ops/layout_rules.def"
#undef PTEC_LAYOUT_RULE
};

const LayoutRow* find_row(std::string_view target) {
  static const std::unordered_map<std::string_view, const LayoutRow*> rows = [] {
    std::unordered_map<std::string_view, const LayoutRow*> out;
    for (const LayoutRow& each : kRows) out.emplace(each.target, &each);
    return out;
  }();
  const auto row = rows.find(target);
  return row == rows.end() ? nullptr : row->second;
}

std::optional<LayoutRule> rule_of(std::string_view target) {
  const LayoutRow* row = find_row(target);
  return row == nullptr ? std::nullopt : std::optional<LayoutRule>(row->rule);
}

std::int64_t example_of(const Program& program, const Dim& dim) {
  const std::optional<std::int64_t> value = example_value(program, dim);
  if (!value)
    fail(ProblemId::LayoutNoExample,
         fmt::format("{} has no example value, so the layout of a tensor is not known",
                     program.exprs.print(dim)));
  return *value;
}

std::vector<std::int64_t> examples_of(const Program& program, const std::vector<Dim>& dims) {
  std::vector<std::int64_t> out;
  out.reserve(dims.size());
  for (const Dim& dim : dims) out.push_back(example_of(program, dim));
  return out;
}

/// Whether the tensor has no gaps and lies in that order; a dim of size 1 may have any stride.
bool lies_in(Program& program, const TensorMeta& tensor, const DimOrder& order) {
  const std::vector<Dim> wanted = dense_strides(program.exprs, tensor.sizes, order);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (tensor.sizes[i] == Dim(0)) return true;
    if (tensor.sizes[i] != Dim(1) && tensor.strides[i] != wanted[i]) return false;
  }
  return true;
}

/// Strides of one operand as TensorIterator sees them: 0 where it is broadcast.
std::vector<std::int64_t> broadcast_strides(const Program& program,
                                            const TensorMeta& operand,
                                            const std::vector<std::int64_t>& sizes) {
  const std::vector<std::int64_t> own = examples_of(program, operand.sizes);
  const std::vector<std::int64_t> strides = examples_of(program, operand.strides);
  std::vector<std::int64_t> out(sizes.size(), 0);
  const std::size_t missing = sizes.size() - own.size();
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i] != 1 || sizes[i + missing] == 1) out[i + missing] = strides[i];
  }
  return out;
}

/// Negative: `a` is the faster dim of the two; positive: they should change places; 0: no operand
/// tells.
int compare_dims(const std::vector<std::vector<std::int64_t>>& strides,
                 const std::vector<std::int64_t>& sizes,
                 std::size_t a,
                 std::size_t b) {
  for (const std::vector<std::int64_t>& operand : strides) {
    if (operand[a] == 0 || operand[b] == 0) continue;
    if (operand[a] < operand[b]) return -1;
    if (operand[a] > operand[b]) return 1;
    if (sizes[a] > sizes[b]) return 1;
  }
  return 0;
}

DimOrder pointwise_order(const std::vector<std::vector<std::int64_t>>& strides,
                         const std::vector<std::int64_t>& sizes) {
  DimOrder fastest_first = plain_order(sizes.size());
  std::reverse(fastest_first.begin(), fastest_first.end());
  for (std::size_t i = 1; i < fastest_first.size(); ++i) {
    std::size_t at = i;
    for (std::size_t other = i; other-- > 0;) {
      const int order = compare_dims(strides, sizes, fastest_first[other], fastest_first[at]);
      if (order < 0) break;
      if (order == 0) continue;
      std::swap(fastest_first[other], fastest_first[at]);
      at = other;
    }
  }
  std::reverse(fastest_first.begin(), fastest_first.end());
  return fastest_first;
}

std::vector<const TensorMeta*> tensors_of(const Graph& graph, const Node& node) {
  std::vector<const TensorMeta*> out;
  for_each_input(node, [&](NodeId input) {
    if (const TensorMeta* tensor = graph.at(input).value.tensor()) out.push_back(tensor);
  });
  return out;
}

/// The order that an argument memory_format asks for; nothing for preserve or none.
std::optional<DimOrder> asked_order(const Node& node, std::size_t rank) {
  for (const NamedArgument& argument : node.kwargs) {
    const auto* format = std::get_if<MemoryFormatCode>(&argument.value.v);
    if (argument.name != "memory_format" || format == nullptr) continue;
    if (static_cast<std::int64_t>(*format) == 1) return plain_order(rank);
    if (static_cast<std::int64_t>(*format) == 2 && rank == 4) return kChannelsLastOrder;
    if (static_cast<std::int64_t>(*format) == 3 && rank == 5) return channels_last_order(rank);
  }
  return std::nullopt;
}

std::vector<Dim> preserved_strides(Program& program,
                                   const Node& node,
                                   const std::vector<const TensorMeta*>& operands,
                                   const std::vector<Dim>& sizes) {
  if (const std::optional<DimOrder> order = asked_order(node, sizes.size()))
    return dense_strides(program.exprs, sizes, *order);
  return pointwise_strides(program, {operands.at(0)}, sizes);
}

std::vector<Dim> strides_by_rule(Program& program,
                                 const Node& node,
                                 LayoutRule rule,
                                 const std::vector<const TensorMeta*>& operands,
                                 const std::vector<Dim>& sizes) {
  const auto channels_last = [&](const TensorMeta* tensor) {
    return is_channels_last(program, *tensor);
  };
  bool suggested = false;
  switch (rule) {
    case LayoutRule::Arithmetic:
      return pointwise_strides(program, operands, sizes, PointwiseTies::ContiguousFirst);
    case LayoutRule::Pointwise:
      return pointwise_strides(program, operands, sizes);
    case LayoutRule::Preserved:
    case LayoutRule::Normalized:
      return preserved_strides(program, node, operands, sizes);
    case LayoutRule::Suggested:
      suggested = !operands.empty() && channels_last(operands[0]);
      break;
    case LayoutRule::AnySuggested:
      suggested = std::any_of(operands.begin(), operands.end(), channels_last);
      break;
    case LayoutRule::AllSuggested:
      suggested = !operands.empty() && std::all_of(operands.begin(), operands.end(), channels_last);
      break;
    case LayoutRule::Contiguous:
      break;
  }
  const bool last = suggested && (sizes.size() == 4 || sizes.size() == 5);
  return dense_strides(
      program.exprs, sizes, last ? channels_last_order(sizes.size()) : plain_order(sizes.size()));
}

}  // namespace

DimOrder plain_order(std::size_t rank) {
  DimOrder order(rank);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

DimOrder dim_order_of(const Program& program, const TensorMeta& tensor) {
  const std::vector<std::int64_t> strides = examples_of(program, tensor.strides);
  if (std::find(strides.begin(), strides.end(), 0) != strides.end())
    fail(ProblemId::StrideZero, "a stride is 0 (an expanded view)");
  DimOrder order = plain_order(strides.size());
  std::stable_sort(order.begin(), order.end(), [&strides](std::size_t a, std::size_t b) {
    return strides[a] > strides[b];
  });
  // A dim of size 1 can have the stride of any place. Where that leaves an order that no kernel
  // knows, the tensor is in the one that torch takes it for.
  const bool known = order == plain_order(order.size()) || order == kChannelsLastOrder;
  if (!known && order.size() == 4 && is_channels_last(program, tensor)) return kChannelsLastOrder;
  return order;
}

std::vector<Dim> dense_strides(ExprPool& exprs,
                               const std::vector<Dim>& sizes,
                               const DimOrder& order) {
  std::vector<Dim> ordered;
  ordered.reserve(order.size());
  for (const std::size_t dim : order) ordered.push_back(sizes[dim]);
  const std::optional<std::vector<Dim>> strides = contiguous_strides(exprs, ordered);
  if (!strides) fail(ErrorCode::Limit, "a stride passes 63 bits");
  std::vector<Dim> out(sizes.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[order[i]] = (*strides)[i];
  return out;
}

bool is_contiguous(Program& program, const TensorMeta& tensor) {
  return lies_in(program, tensor, plain_order(tensor.sizes.size()));
}

KernelOrders kernel_orders(std::string_view target) {
  const LayoutRow* row = find_row(target);
  return row == nullptr ? KernelOrders::Plain : row->orders;
}

bool has_layout_rule(std::string_view target) { return rule_of(target).has_value(); }

bool has_channels_last_layout(Program& program, const TensorMeta& tensor) {
  return tensor.sizes.size() == 4 && lies_in(program, tensor, kChannelsLastOrder);
}

bool is_channels_last(const Program& program, const TensorMeta& tensor) {
  const std::size_t rank = tensor.sizes.size();
  if (rank != 4 && rank != 5) return false;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::optional<std::int64_t> size = example_value(program, tensor.sizes[i]);
    const std::optional<std::int64_t> stride = example_value(program, tensor.strides[i]);
    if (!size || !stride) return false;  // torch doesn't ask the data either
    sizes.push_back(*size);
    strides.push_back(*stride);
  }
  if (strides[1] == 0) return false;
  DimOrder fastest_first = channels_last_order(rank);
  std::reverse(fastest_first.begin(), fastest_first.end());
  std::int64_t least = 0;
  for (const std::size_t dim : fastest_first) {
    if (sizes[dim] == 0 || strides[dim] < least) return false;
    if (dim == 0 && least == strides[1]) return false;  // [N,1,1,1] is taken for contiguous
    least = strides[dim] * sizes[dim];
  }
  return true;
}

DimOrder channels_last_order(std::size_t rank) {
  DimOrder order = plain_order(rank);
  if (rank > 2) std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  return order;
}

PointwiseTies pointwise_ties(std::string_view target) {
  return rule_of(target) == LayoutRule::Arithmetic ? PointwiseTies::ContiguousFirst
                                                   : PointwiseTies::ByStrides;
}

std::vector<Dim> pointwise_strides(Program& program,
                                   const std::vector<const TensorMeta*>& operands,
                                   const std::vector<Dim>& sizes,
                                   PointwiseTies ties) {
  const auto dense = [&](const DimOrder& order) {
    return dense_strides(program.exprs, sizes, order);
  };
  const auto all = [&](bool (*holds)(Program&, const TensorMeta&), bool broadcast) {
    return std::all_of(operands.begin(), operands.end(), [&](const TensorMeta* operand) {
      return (broadcast || operand->sizes == sizes) && holds(program, *operand);
    });
  };
  if (sizes.size() < 2 || operands.empty()) return dense(plain_order(sizes.size()));
  if (ties == PointwiseTies::ContiguousFirst) {
    const bool has_shape = std::any_of(operands.begin(), operands.end(), [&](const auto* operand) {
      return operand->sizes == sizes;
    });
    if (has_shape && all(is_contiguous, true)) return dense(plain_order(sizes.size()));
    if (has_shape && all(has_channels_last_layout, true)) return dense(kChannelsLastOrder);
  }
  const bool contiguous = all(is_contiguous, false);
  const bool channels_last = all(has_channels_last_layout, false);
  if (contiguous && !channels_last) return dense(plain_order(sizes.size()));
  if (channels_last && !contiguous) return dense(kChannelsLastOrder);
  const auto known = [&program](const std::vector<Dim>& dims) {
    return std::all_of(dims.begin(), dims.end(), [&program](const Dim& dim) {
      return example_value(program, dim).has_value();
    });
  };
  const bool all_known = std::all_of(operands.begin(), operands.end(), [&](const auto* operand) {
    return known(operand->sizes) && known(operand->strides);
  });
  // torch leaves dims in place where only the data could tell.
  if (!all_known || !known(sizes)) return dense(plain_order(sizes.size()));
  const std::vector<std::int64_t> examples = examples_of(program, sizes);
  std::vector<std::vector<std::int64_t>> strides;
  for (const TensorMeta* operand : operands)
    strides.push_back(broadcast_strides(program, *operand, examples));
  return dense(pointwise_order(strides, examples));
}

namespace {

/// Takes over what the rules of infer.h give for the node. Returns whether that was new.
bool adopt_inferred(Program& program, Node& node) {
  const std::optional<Value> inferred = infer_value(program, node);
  if (!inferred) return false;
  bool changed = false;
  const auto adopt = [&changed](TensorMeta& own, const TensorMeta& found) {
    if (own.sizes.size() != found.sizes.size()) return;
    changed = changed || own.strides != found.strides || own.storage_offset != found.storage_offset;
    own.strides = found.strides;
    own.storage_offset = found.storage_offset;
  };
  const TensorMeta* tensor = inferred->tensor();
  if (node.value.tensor() != nullptr && tensor != nullptr) adopt(*node.value.tensor(), *tensor);
  auto* own = std::get_if<std::vector<ValueItem>>(&node.value.v);
  const std::vector<ValueItem>* found = inferred->list();
  for (std::size_t i = 0; own != nullptr && found != nullptr && i < own->size(); ++i) {
    auto* element = std::get_if<TensorMeta>(&(*own)[i]);
    const auto* wanted = i < found->size() ? std::get_if<TensorMeta>(&(*found)[i]) : nullptr;
    if (element != nullptr && wanted != nullptr) adopt(*element, *wanted);
  }
  return changed;
}

/// A getitem lies where the element of the list lies.
bool follow_list(const Graph& graph, Node& node) {
  const Node& list = graph.at(*node.args[0].node());
  const auto index = static_cast<std::size_t>(std::get<std::int64_t>(node.args[1].v));
  const auto* element = std::get_if<TensorMeta>(&list.value.list()->at(index));
  TensorMeta* own = node.value.tensor();
  if (element == nullptr || own == nullptr) return false;
  const bool changed =
      own->strides != element->strides || own->storage_offset != element->storage_offset;
  own->strides = element->strides;
  own->storage_offset = element->storage_offset;
  return changed;
}

bool follow_operand(const Graph& graph, Node& node) {
  const NodeId* operand = node.args.empty() ? nullptr : node.args[0].node();
  const TensorMeta* written = operand == nullptr ? nullptr : graph.at(*operand).value.tensor();
  TensorMeta* own = node.value.tensor();
  if (written == nullptr || own == nullptr || own->strides == written->strides) return false;
  own->strides = written->strides;
  own->storage_offset = written->storage_offset;
  return true;
}

}  // namespace

bool infer_strides(Program& program, NodeId id) {
  Graph& graph = program.graph;
  Node& node = graph.at(id);
  if (tensorrt::is_engine_call(node) || node.target == kDelegateCall)
    return false;  // its results are contiguous always
  if (writes_in_place(node.target)) return follow_operand(graph, node);
  const std::optional<LayoutRule> rule = rule_of(node.target);
  const bool shows = !copy_of_view(node.target).empty();
  const std::vector<const TensorMeta*> operands = tensors_of(graph, node);
  const auto contiguous = [&](const TensorMeta* operand) {
    return is_contiguous(program, *operand);
  };
  if (!rule && (shows || !std::all_of(operands.begin(), operands.end(), contiguous))) {
    if (can_infer(node.target)) return adopt_inferred(program, node);
    fail(ProblemId::LayoutUnknown,
         fmt::format("{} reads a tensor that is not contiguous; the layout of its result is not "
                     "known",
                     node.target));
  }
  bool changed = false;
  const auto visit = [&](TensorMeta& meta, LayoutRule applied) {
    std::vector<Dim> strides = strides_by_rule(program, node, applied, operands, meta.sizes);
    changed = changed || strides != meta.strides;
    meta.strides = std::move(strides);
  };
  if (TensorMeta* tensor = node.value.tensor()) {
    visit(*tensor, rule.value_or(LayoutRule::Contiguous));
  } else if (auto* list = std::get_if<std::vector<ValueItem>>(&node.value.v)) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      TensorMeta* element = std::get_if<TensorMeta>(&(*list)[i]);
      if (element == nullptr) continue;
      const bool follows = rule && !(*rule == LayoutRule::Normalized && i > 0);
      visit(*element, follows ? *rule : LayoutRule::Contiguous);
    }
  }
  return changed;
}

void StrideUpdate::visit(NodeId id) {
  Graph& graph = program_.graph;
  Node& node = graph.at(id);
  if (changed_.empty() || node.kind != NodeKind::Call) return;
  bool reads_changed = false;
  for_each_input(node,
                 [&](NodeId input) { reads_changed = reads_changed || changed_.contains(input); });
  if (!reads_changed) return;
  const Breadcrumb here = Breadcrumb::of_node(node.name, node.target);
  if (node.target == kGetItem) {
    if (follow_list(graph, node)) changed_.insert(id);
  } else if (is_control_flow(node.target)) {
    fail(ProblemId::ControlFlowLayout,
         "control flow is given a tensor whose layout the export changes");
  } else if (infer_strides(program_, id)) {
    changed_.insert(id);
  }
}

void propagate_strides(Program& program, std::set<NodeId> changed) {
  StrideUpdate update(program, std::move(changed));
  for (NodeId id = program.graph.first(); id != kNoNode && update.any();
       id = program.graph.at(id).next())
    update.visit(id);
}

}  // namespace ptec::edge
