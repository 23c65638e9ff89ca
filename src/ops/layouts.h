// Strides of results after the strides of operands changed.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/program.h"

namespace ptec::edge {

/// Dims of a tensor, outermost first.
using DimOrder = std::vector<std::size_t>;

inline const DimOrder kChannelsLastOrder = {0, 2, 3, 1};
/// 0, 1, ..., the last dim innermost.
DimOrder plain_order(std::size_t rank);

/// Dims by falling stride in the example that was traced, equal ones in place: torch's dim order.
/// Throws Unsupported when a stride has no example value or is 0.
DimOrder dim_order_of(const Program& program, const TensorMeta& tensor);

/// Strides of a tensor without gaps whose dims lie in `order`. Throws Limit past 63 bits.
std::vector<Dim> dense_strides(ExprPool& exprs,
                               const std::vector<Dim>& sizes,
                               const DimOrder& order);

/// No gaps, dims in plain order. A dim of size 1 may have any stride.
bool is_contiguous(Program& program, const TensorMeta& tensor);
/// No gaps, rank 4, dims in the order 0, 2, 3, 1. A dim of size 1 may have any stride, so a tensor
/// may be both.
bool has_channels_last_layout(Program& program, const TensorMeta& tensor);

/// The memory format that torch suggests for operators on that tensor: by strides alone, those of
/// dims of size 1 too, which tell of a tensor that is both what it was made as. Ranks 4 and 5.
/// Source: torch 2.14, c10/core/MemoryFormat.h, is_channels_last_strides_2d and _3d.
bool is_channels_last(const Program& program, const TensorMeta& tensor);
/// 0, 2, 3, ..., 1.
DimOrder channels_last_order(std::size_t rank);

/// How ties are decided in an elementwise operator's result.
enum class PointwiseTies {
  ByStrides,        // torch's TensorIterator
  ContiguousFirst,  // what is contiguous counts as that only: add, sub, mul and div of tensors
};
/// Strides of an elementwise result over `operands`, which broadcast to `sizes`. Source: torch
/// 2.14, torch/_prims_common/__init__.py, and for add, sub, mul and div
/// torch/_subclasses/fake_impls.py, make_fast_binary_impl.
std::vector<Dim> pointwise_strides(Program& program,
                                   const std::vector<const TensorMeta*>& operands,
                                   const std::vector<Dim>& sizes,
                                   PointwiseTies ties = PointwiseTies::ByStrides);
/// How that operator decides them.
PointwiseTies pointwise_ties(std::string_view target);

/// Dim orders of operands with which a kernel computes what it should; see layout_rules.def.
enum class KernelOrders { Plain, First, Any };
KernelOrders kernel_orders(std::string_view target);

/// Whether layout_rules.def has the operator.
bool has_layout_rule(std::string_view target);

/// Sets the strides of the node's results from its operands: by layout_rules.def, views and what
/// has no row there by infer.h, what writes in place like its first operand. True when one changed.
/// Throws Unsupported when no rule is known and an operand is not contiguous.
bool infer_strides(Program& program, NodeId id);

/// Infers again what depends on nodes whose strides changed. Nodes are visited in graph order.
class StrideUpdate {
 public:
  explicit StrideUpdate(Program& program, std::set<NodeId> changed = {})
      : program_(program), changed_(std::move(changed)) {}
  void note(NodeId changed) { changed_.insert(changed); }
  bool any() const { return !changed_.empty(); }
  /// Throws Unsupported as infer_strides, and when the node is control flow.
  void visit(NodeId id);

 private:
  Program& program_;
  std::set<NodeId> changed_;
};

/// The same for the whole graph.
void propagate_strides(Program& program, std::set<NodeId> changed);

}  // namespace ptec::edge
