#include "edge/decompose.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "edge/decompose/rules.h"
#include "ir/targets.h"
#include "ops/layouts.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

using Rules = std::unordered_map<std::string_view, Results (*)(const Rewrite&)>;  // looked up only
using Names = std::unordered_map<std::string_view, std::string_view>;

const Rules& rules() {
  static const Rules table = [] {
    Rules out;
    for (const Rows<DecomposeRule>& rows : {activation_rules(),
                                            attention_rules(),
                                            convolution_rules(),
                                            creation_rules(),
                                            einsum_rules(),
                                            index_rules(),
                                            loss_rules(),
                                            matmul_rules(),
                                            norm_rules(),
                                            pad_rules(),
                                            pointwise_rules(),
                                            pool_rules(),
                                            rearrange_rules(),
                                            recurrent_rules(),
                                            reduction_rules(),
                                            resize_rules(),
                                            shape_rules()}) {
      for (const DecomposeRule& rule : rows) out.emplace(rule.target, rule.apply);
    }
    return out;
  }();
  return table;
}

const Names& names() {
  static const Names table = [] {
    Names out;
    for (const Renaming& row : renamings()) out.emplace(row.from, row.to);
    return out;
  }();
  return table;
}

/// False when the call stays as it is.
bool decompose_call(Builder& builder, const Node& call, Results& results) {
  if (const auto renamed = names().find(call.target); renamed != names().end()) {
    results = builder.calls(renamed->second, call.args, call.kwargs);
    return true;
  }
  const auto rule = rules().find(call.target);
  if (rule == rules().end()) return false;
  results = rule->second(Rewrite{builder, CallArguments(builder.program(), call)});
  return !results.empty();
}

std::string text_of(const Program& program, const TensorMeta& meta) {
  std::string out = std::string(info(meta.dtype).text) + "[";
  for (std::size_t i = 0; i < meta.sizes.size(); ++i)
    out += (i == 0 ? "" : ",") + program.exprs.print(meta.sizes[i]);
  return out + "]";
}

bool agree(const TensorMeta& a, const TensorMeta& b) {
  if (a.dtype != b.dtype || a.sizes.size() != b.sizes.size()) return false;
  for (std::size_t i = 0; i < a.sizes.size(); ++i) {
    if (a.sizes[i].is_number() && b.sizes[i].is_number() && a.sizes[i] != b.sizes[i]) return false;
  }
  return true;
}

/// What the trace recorded and what the decomposition gives are the same, or one of them is wrong.
/// Of two expressions for a size the trace's is kept: it knows more about symbols than we do.
void settle(Program& program, const TensorMeta* recorded, NodeId result) {
  TensorMeta* made = program.graph.at(result).value.tensor();
  if (recorded == nullptr || made == nullptr) return;
  if (!agree(*recorded, *made)) {
    fail(ProblemId::DecompositionDiffers,
         fmt::format("it is recorded as {}, and decomposes into {}",
                     text_of(program, *recorded),
                     text_of(program, *made)));
  }
  if (recorded->sizes == made->sizes ||
      std::find(made->strides.begin(), made->strides.end(), Dim(0)) != made->strides.end())
    return;
  const DimOrder order = dim_order_of(program, *made);
  made->sizes = recorded->sizes;
  made->strides = dense_strides(program.exprs, made->sizes, order);
}

/// One result in the place of another; whether it lies otherwise than that was recorded.
bool take_place(Program& program, NodeId old, NodeId result) {
  Graph& graph = program.graph;
  settle(program, graph.at(old).value.tensor(), result);
  const TensorMeta* recorded = graph.at(old).value.tensor();
  const TensorMeta* made = graph.at(result).value.tensor();
  const bool moved = recorded != nullptr && made != nullptr && recorded->strides != made->strides;
  graph.replace_all_uses(old, result);
  return moved;
}

void replace_list(Program& program, NodeId id, const Results& results, StrideUpdate& strides) {
  Graph& graph = program.graph;
  const std::vector<NodeId> users = graph.at(id).users();
  for (const NodeId user : users) {
    const Node& item = graph.at(user);
    const auto* index = item.target == kGetItem && item.args.size() == 2
                            ? std::get_if<std::int64_t>(&item.args[1].v)
                            : nullptr;
    if (index == nullptr || *index < 0 || static_cast<std::size_t>(*index) >= results.size())
      fail(ErrorCode::Malformed, "its results are used as a whole, or there are fewer of them");
    const NodeId result = results[static_cast<std::size_t>(*index)];
    if (take_place(program, user, result)) strides.note(result);
    graph.erase(user);
  }
}

void replace(Program& program, NodeId id, const Results& results, StrideUpdate& strides) {
  if (program.graph.at(id).value.list() != nullptr) {
    replace_list(program, id, results, strides);
  } else if (take_place(program, id, results.at(0))) {
    strides.note(results.at(0));
  }
  program.graph.erase(id);
}

/// Under its other name the node gives the number that the trace recorded: no rule infers one.
bool renamed_number(Node& node) {
  const auto renamed = names().find(node.target);
  if (renamed == names().end() || node.value.scalar() == nullptr) return false;
  node.target = renamed->second;
  return true;
}

}  // namespace

bool has_decomposition(std::string_view target) {
  return rules().contains(target) || names().contains(target);
}

DecomposeStats decompose(Program& program) {
  DecomposeStats stats;
  Graph& graph = program.graph;
  std::vector<NodeId> calls;
  bool any = false;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
    if (graph.at(id).kind != NodeKind::Call) continue;
    any = any || has_decomposition(graph.at(id).target);
    calls.push_back(id);
  }
  if (!any) return stats;
  Builder builder(program, decompose_call);
  StrideUpdate strides(program);
  for (const NodeId id : calls) {
    if (graph.at(id).erased()) continue;  // a getitem whose list is gone
    if (!has_decomposition(graph.at(id).target)) {
      strides.visit(id);
      continue;
    }
    if (renamed_number(graph.at(id))) {
      ++stats.rewritten;
      continue;
    }
    const Breadcrumb here = Breadcrumb::of_node(graph.at(id).name, graph.at(id).target);
    builder.insert_before(id);
    Results results;
    const Node call = graph.at(id);
    if (!decompose_call(builder, call, results)) {
      strides.visit(id);
      continue;
    }
    replace(program, id, results, strides);
    ++stats.rewritten;
  }
  // Users count from the order of nodes, as after a new trace.
  graph.reorder(graph.order());
  return stats;
}

}  // namespace ptec::edge
