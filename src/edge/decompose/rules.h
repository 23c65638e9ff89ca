// What the families of decompositions have in common.
//
// A rule says how one operator is computed with others, in the order in which the reference's trace
// makes them: that order ends up in the file. What a rule calls is decomposed in turn.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edge/build.h"
#include "ops/call_arguments.h"
#include "ops/dims.h"
#include "ops/rows.h"

namespace ptec::edge {

/// One call that is being decomposed.
struct Rewrite {
  Builder& b;
  CallArguments args;

  /// Adds `aten::NAME` with one result.
  NodeId op(std::string_view name,
            std::vector<Argument> arguments,
            std::vector<NamedArgument> keywords = {}) const {
    return b.call("aten::" + std::string(name), std::move(arguments), std::move(keywords));
  }
  NodeId self() const { return args.node(0, "self"); }
  const TensorMeta& meta(NodeId id) const { return b.meta(id); }
};

/// The results; none when the rule does not apply, and the call stays.
using Results = Builder::Nodes;

struct DecomposeRule {
  std::string_view target;
  Results (*apply)(const Rewrite&);
};

Rows<DecomposeRule> activation_rules();
Rows<DecomposeRule> attention_rules();
Rows<DecomposeRule> convolution_rules();
Rows<DecomposeRule> creation_rules();
Rows<DecomposeRule> einsum_rules();
Rows<DecomposeRule> index_rules();
Rows<DecomposeRule> loss_rules();
Rows<DecomposeRule> matmul_rules();
Rows<DecomposeRule> norm_rules();
Rows<DecomposeRule> pad_rules();
Rows<DecomposeRule> pointwise_rules();
Rows<DecomposeRule> pool_rules();
Rows<DecomposeRule> rearrange_rules();
Rows<DecomposeRule> recurrent_rules();
Rows<DecomposeRule> reduction_rules();
Rows<DecomposeRule> resize_rules();
Rows<DecomposeRule> shape_rules();

/// Renames: the same arguments under another name. From, to.
struct Renaming {
  std::string_view from;
  std::string_view to;
};
Rows<Renaming> renamings();

/// Computes in float what is given in half or bfloat16, and casts the result back, as torch's
/// wrappers of elementwise functions do. Source: torch 2.14, torch/_prims_common/wrappers.py.
class Elementwise {
 public:
  enum class Kind { Default, IntToFloat, Bool };
  Elementwise(const Rewrite& r, std::initializer_list<NodeId> operands, Kind kind = Kind::Default);
  NodeId in(NodeId operand) const;
  NodeId out(NodeId result) const;
  ScalarType result_type() const { return result_; }

 private:
  const Rewrite& r_;
  ScalarType compute_;
  ScalarType result_;
};

NodeId cast(const Rewrite& r, NodeId value, ScalarType dtype);  // nothing when it has that type
NodeId contiguous(const Rewrite& r, NodeId value);
/// `contiguous` in the sense of a copy even if it is so already.
NodeId clone_contiguous(const Rewrite& r, NodeId value);
NodeId reshape(const Rewrite& r, NodeId value, const std::vector<Dim>& sizes);
/// Numbers that count from `first` to below `end`.
NodeId arange(const Rewrite& r, Argument first, Argument end, std::optional<ScalarType> dtype);
NodeId unsqueeze(const Rewrite& r, NodeId value, std::int64_t dim);
NodeId view(const Rewrite& r, NodeId value, const std::vector<Dim>& sizes);
NodeId transpose(const Rewrite& r, NodeId value, std::size_t a, std::size_t b);
/// where(condition, number, other) and where(condition, self, number).
NodeId where_number(const Rewrite& r, NodeId condition, Argument number, NodeId other);
NodeId where_or_number(const Rewrite& r, NodeId condition, NodeId self, Argument number);
NodeId scalar_tensor(const Rewrite& r, Argument number, ScalarType dtype);
std::vector<std::int64_t> count_up(std::size_t count);

}  // namespace ptec::edge
