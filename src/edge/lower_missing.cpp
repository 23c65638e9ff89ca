#include "edge/lower_missing.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "edge/build.h"
#include "ir/targets.h"
#include "ops/call_arguments.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

/// One call on its way. A rule changes it or leaves it, and says which.
struct Call {
  Program& program;
  Builder& builder;
  NodeId id;

  Node& node() const { return program.graph.at(id); }
  CallArguments args() const { return CallArguments(program, node()); }
  void become(std::string_view target, std::vector<Argument> arguments) const {
    node().target = target;
    program.graph.set_arguments(id, std::move(arguments), {});
  }
};

bool is_contiguous(const TensorMeta& tensor) {
  std::int64_t stride = 1;
  for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
    if (!tensor.sizes[i].is_number() || !tensor.strides[i].is_number()) return false;
    if (tensor.sizes[i].number() != 1 && tensor.strides[i].number() != stride) return false;
    stride *= std::max<std::int64_t>(tensor.sizes[i].number(), 1);
  }
  return true;
}

bool is_integer(ScalarType type) {
  return type == ScalarType::UInt8 || type == ScalarType::Int8 || type == ScalarType::Int16 ||
         type == ScalarType::Int32 || type == ScalarType::Int64;
}

/// What the kernel of `topk` orders.
bool is_ordered(ScalarType type) {
  return is_integer(type) || type == ScalarType::Float16 || type == ScalarType::BFloat16 ||
         type == ScalarType::Float32 || type == ScalarType::Float64;
}

/// The getitem of one result; kNoNode when nothing takes it.
NodeId taken(const Call& call, std::int64_t index) {
  for (const NodeId user : call.node().users) {
    const Node& node = call.program.graph.at(user);
    const auto* number =
        node.args.size() == 2 ? std::get_if<std::int64_t>(&node.args[1].v) : nullptr;
    if (node.target == kGetItem && number != nullptr && *number == index) return user;
  }
  return kNoNode;
}

/// How many elements are ordered along a dimension that a `topk` can go over; nothing when that is
/// not known, or when somebody takes the indices: which of two equal elements comes first is not
/// the same in `topk`.
std::optional<std::int64_t> ordered_elements(const Call& call, std::size_t dim_index) {
  const CallArguments args = call.args();
  const TensorMeta& self = args.tensor(0, "self");
  if (!is_ordered(self.dtype) || self.sizes.empty() || !is_contiguous(self) ||
      taken(call, 1) != kNoNode)
    return std::nullopt;
  const std::size_t dim = wrapped_dim(args.integer_or(dim_index, "dim", -1), self.sizes.size());
  const std::int64_t count = self.sizes[dim].number();
  return count > 0 ? std::optional(count) : std::nullopt;
}

bool sort_to_topk(const Call& call, std::size_t dim_index) {
  const std::optional<std::int64_t> count = ordered_elements(call, dim_index);
  if (!count) return false;
  const CallArguments args = call.args();
  call.become("aten::topk.default",
              {args.node(0, "self"),
               *count,
               args.integer_or(dim_index, "dim", -1),
               args.flag_or(dim_index + 1, "descending", false),
               true});
  return true;
}

bool lower_sort(const Call& call) { return sort_to_topk(call, 1); }

bool lower_stable_sort(const Call& call) {
  // Zeros of both signs are equal, and a stable sort of floats keeps their order.
  return is_integer(call.args().tensor(0, "self").dtype) && sort_to_topk(call, 1);
}

/// The `rank`-th smallest along a dimension is the last of the `rank` smallest.
bool select_rank(const Call& call, std::int64_t rank, std::size_t dim_index) {
  const CallArguments args = call.args();
  const NodeId self = args.node(0, "self");
  const std::int64_t dim = args.integer_or(dim_index, "dim", -1);
  const bool keep = args.flag_or(dim_index + 1, "keepdim", false);
  const NodeId values = taken(call, 0);
  if (values == kNoNode) return false;
  call.builder.insert_before(call.id);
  const NodeId smallest =
      call.builder.calls("aten::topk.default", {self, rank, dim, false, true})[0];
  const NodeId last =
      keep ? call.builder.call("aten::slice_copy.Tensor", {smallest, dim, rank - 1, rank})
           : call.builder.call("aten::select_copy.int", {smallest, dim, rank - 1});
  call.program.graph.replace_all_uses(values, last);
  call.program.graph.erase(values);
  call.program.graph.erase(call.id);
  return true;
}

bool lower_kthvalue(const Call& call) {
  const std::optional<std::int64_t> count = ordered_elements(call, 2);
  const std::int64_t rank = call.args().integer(1, "k");
  return count && rank >= 1 && rank <= *count && select_rank(call, rank, 2);
}

bool lower_median(const Call& call) {
  if (!is_integer(call.args().tensor(0, "self").dtype)) return false;  // a NaN is the median
  const std::optional<std::int64_t> count = ordered_elements(call, 1);
  return count && select_rank(call, (*count - 1) / 2 + 1, 1);
}

bool scatter_to_scatter_add(const Call& call, std::string_view reduce) {
  const CallArguments args = call.args();
  if (args.text_or(4, "reduce", "") != reduce || !args.flag_or(5, "include_self", true))
    return false;
  call.become(
      "aten::scatter_add.default",
      {args.node(0, "self"), args.integer(1, "dim"), args.node(2, "index"), args.node(3, "src")});
  return true;
}

bool lower_scatter_reduce(const Call& call) { return scatter_to_scatter_add(call, "sum"); }
bool lower_scatter(const Call& call) { return scatter_to_scatter_add(call, "add"); }

/// `op.Scalar_Tensor(number, tensor)` to `op.Scalar(tensor, number)`.
bool swap_operands(const Call& call) {
  const CallArguments args = call.args();
  const std::string_view target = call.node().target;
  call.become(std::string(target.substr(0, target.rfind('.'))) + ".Scalar",
              {args.node(1, "other"), args.any(0, "self")});
  return true;
}

bool lower_bilinear(const Call& call) {
  const CallArguments args = call.args();
  if (args.has(3, "scales_h") || args.has(4, "scales_w")) return false;
  call.become(
      "aten::upsample_bilinear2d.vec",
      {args.node(0, "self"), args.any(1, "output_size"), args.any(2, "align_corners"), None{}});
  return true;
}

struct Rule {
  std::string_view target;
  bool (*apply)(const Call&);
};

// What is not here has no exact equal among the kernels: `erfinv`, `lgamma` and their like need
// arithmetic of their own; `cumprod` and `avg_pool3d` can be composed, but round elsewhere; indices
// of `sort`, `kthvalue` and `median` among equal elements are not those of `topk`.
constexpr Rule kRules[] = {
    // The operation is commutative, bit by bit.
    {"aten::bitwise_and.Scalar_Tensor", swap_operands},
    {"aten::bitwise_or.Scalar_Tensor", swap_operands},
    {"aten::bitwise_xor.Scalar_Tensor", swap_operands},
    // Values alone: the last of the k smallest. Both put NaN behind all numbers.
    {"aten::kthvalue.default", lower_kthvalue},
    // Values of integers alone: the median of torch is the lower one, an element of its own.
    {"aten::median.dim", lower_median},
    // torch documents both as the same sum.
    {"aten::scatter.reduce", lower_scatter},
    {"aten::scatter_reduce.two", lower_scatter_reduce},
    // Values alone: as many largest or smallest as there are, in order. Both take NaN for larger
    // than every number.
    {"aten::sort.default", lower_sort},
    {"aten::sort.stable", lower_stable_sort},
    // The sizes alone decide the scales in both overloads when no scale is given.
    {"aten::upsample_bilinear2d.default", lower_bilinear},
};

}  // namespace

LowerMissingStats lower_missing_kernels(Program& program) {
  LowerMissingStats stats;
  Builder builder(program);
  NodeId next = kNoNode;
  for (NodeId id = program.graph.first(); id != kNoNode; id = next) {
    next = program.graph.at(id).next;
    const auto* rule =
        std::find_if(std::begin(kRules), std::end(kRules), [&program, id](const Rule& r) {
          return r.target == program.graph.at(id).target;
        });
    if (rule == std::end(kRules)) continue;
    const std::string name = program.graph.at(id).name;
    const Breadcrumb here("node", name);
    if (next != kNoNode && program.graph.at(next).target == kGetItem) {
      // A rule may erase the getitems behind the call.
      while (next != kNoNode && program.graph.at(next).target == kGetItem)
        next = program.graph.at(next).next;
    }
    stats.rewritten += rule->apply({program, builder, id}) ? 1 : 0;
  }
  return stats;
}

}  // namespace ptec::edge
