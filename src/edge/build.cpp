#include "edge/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "ir/targets.h"
#include "ops/dims.h"
#include "support/error.h"

namespace ptec::edge {

Builder::Builder(Program& program, Hook hook)
    : program_(program), hook_(hook), names_(program.graph, "op") {
  note_size_nodes();
}

void Builder::note_size_nodes() {
  const Graph& graph = program_.graph;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    const SymScalar* scalar = graph.at(id).value.scalar();
    if (scalar != nullptr && scalar->kind == ScalarKind::Int && !scalar->value.is_number())
      size_nodes_.emplace(scalar->value.expr(), id);
  }
}

NodeId Builder::add(Node node) {
  node.name = names_.next();
  return program_.graph.insert(std::move(node), before_);
}

Builder::Nodes Builder::insert(Node call) {
  std::optional<Value> value = infer_value(program_, call);
  if (!value) {
    fail(ErrorCode::Unsupported,
         fmt::format("the shape of {}, which a decomposition makes, is not known", call.target));
  }
  call.value = *std::move(value);
  const NodeId id = add(std::move(call));
  const std::vector<ValueItem>* items = program_.graph.at(id).value.list();
  if (items == nullptr) return {id};
  Nodes out;
  for (std::size_t i = 0; i < items->size(); ++i) {
    Node item;
    item.target = kGetItem;
    item.args = {Argument(id), Argument(static_cast<std::int64_t>(i))};
    item.value.v = std::get<TensorMeta>((*program_.graph.at(id).value.list())[i]);
    out.push_back(add(std::move(item)));
  }
  return out;
}

Builder::Nodes Builder::calls(std::string_view target,
                              std::vector<Argument> args,
                              std::vector<NamedArgument> kwargs) {
  Node call;
  call.target = target;
  call.args = std::move(args);
  call.kwargs = std::move(kwargs);
  Nodes results;
  if (hook_ != nullptr && hook_(*this, call, results)) return results;
  return insert(std::move(call));
}

NodeId Builder::call(std::string_view target,
                     std::vector<Argument> args,
                     std::vector<NamedArgument> kwargs) {
  const Nodes results = calls(target, std::move(args), std::move(kwargs));
  PTEC_INVARIANT(!results.empty(), std::string(target) + " gives nothing");
  return results[0];
}

const TensorMeta& Builder::meta(NodeId id) const {
  const TensorMeta* tensor = program_.graph.at(id).value.tensor();
  if (tensor == nullptr)
    fail(ErrorCode::Malformed,
         fmt::format("'{}' is used as a tensor and is none", program_.graph.at(id).name));
  return *tensor;
}

Argument Builder::size(const Dim& dim) {
  if (dim.is_number()) return dim.number();
  return size_node(dim);
}

Argument Builder::list(const std::vector<Dim>& dims) {
  Argument::List out;
  for (const Dim& dim : dims) out.push_back(size(dim));
  return out;
}

Argument Builder::integers(const std::vector<std::int64_t>& numbers) {
  Argument::List out;
  for (const std::int64_t number : numbers) out.emplace_back(number);
  return out;
}

Argument Builder::tensors(const Nodes& nodes) {
  Argument::List out;
  for (const NodeId node : nodes) out.emplace_back(node);
  return out;
}

/// Asks an input for a size that one has as it is; kNoNode when none has. The reference asks for
/// sizes first thing, in the order of inputs and dimensions.
NodeId Builder::symbol_node(const Dim& dim) {
  Graph& graph = program_.graph;
  std::map<NodeId, std::size_t> places;
  std::optional<std::pair<NodeId, std::size_t>> source;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    if (graph.at(id).kind != NodeKind::Placeholder) continue;
    places.emplace(id, places.size());
    const TensorMeta* tensor = graph.at(id).value.tensor();
    if (tensor == nullptr || source) continue;
    const auto found = std::find(tensor->sizes.begin(), tensor->sizes.end(), dim);
    if (found != tensor->sizes.end())
      source = {id, static_cast<std::size_t>(found - tensor->sizes.begin())};
  }
  if (!source) return kNoNode;
  NodeId before = graph.first();
  for (; before != kNoNode; before = graph.at(before).next) {
    const Node& node = graph.at(before);
    if (node.kind == NodeKind::Placeholder) continue;
    if (node.target != "aten::sym_size.int" || node.args.size() != 2) break;
    const auto asked =
        node.args[0].node() == nullptr ? places.end() : places.find(*node.args[0].node());
    const auto* axis = std::get_if<std::int64_t>(&node.args[1].v);
    if (asked == places.end() || axis == nullptr ||
        std::pair(asked->second, static_cast<std::size_t>(*axis)) >
            std::pair(places.at(source->first), source->second))
      break;
  }
  Node call;
  call.name = names_.next();
  call.target = "aten::sym_size.int";
  call.args = {Argument(source->first), Argument(static_cast<std::int64_t>(source->second))};
  call.value.v = SymScalar{ScalarKind::Int, dim, {}};
  const NodeId node = graph.insert(std::move(call), before);
  size_nodes_.emplace(dim.expr(), node);
  return node;
}

NodeId Builder::size_node(const Dim& dim) {
  if (const auto found = size_nodes_.find(dim.expr()); found != size_nodes_.end())
    return found->second;
  const Expr expr = program_.exprs.at(dim.expr());  // a copy: the pool grows below
  if (const NodeId node = symbol_node(dim); node != kNoNode) return node;
  const char* target = expr.op == ExprOp::Add        ? "sym::add"
                       : expr.op == ExprOp::Mul      ? "sym::mul"
                       : expr.op == ExprOp::FloorDiv ? "sym::floordiv"
                                                     : nullptr;
  if (target == nullptr || expr.args.size() < 2) {
    fail(ErrorCode::Unsupported,
         fmt::format("no operator of the program computes the size {}", program_.exprs.print(dim)));
  }
  const auto as_dim = [&](ExprId id) {
    const Expr& part = program_.exprs.at(id);
    return part.op == ExprOp::Integer ? Dim(part.number) : Dim::of_expr(id);
  };
  // A number comes last, as in `x.shape[0] * 3`.
  std::vector<ExprId> parts = expr.args;
  std::stable_partition(parts.begin(), parts.end(), [&](ExprId id) {
    return program_.exprs.at(id).op != ExprOp::Integer;
  });
  Dim total = as_dim(parts[0]);
  NodeId node = kNoNode;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const Dim next = as_dim(parts[i]);
    const Argument left = node == kNoNode ? size(total) : Argument(node);
    const Argument right = size(next);
    total = expr.op == ExprOp::Add   ? add_dims(program_.exprs, total, next)
            : expr.op == ExprOp::Mul ? multiply_dims(program_.exprs, total, next)
                                     : divide_dims(program_.exprs, total, next);
    node = add_size(target, left, right, total);
  }
  return node;
}

NodeId Builder::add_size(const char* target, Argument a, Argument b, const Dim& result) {
  Node call;
  call.target = target;
  call.args = {std::move(a), std::move(b)};
  call.value.v = SymScalar{ScalarKind::Int, result, {}};
  const NodeId node = add(std::move(call));
  if (!result.is_number()) size_nodes_.emplace(result.expr(), node);
  return node;
}

Dim Builder::product(const std::vector<Dim>& dims) {
  Dim total = 1;
  for (const Dim& dim : dims) {
    const Dim next = multiply_dims(program_.exprs, total, dim);
    const bool is_new = !next.is_number() && next != total && next != dim;
    if (is_new && !size_nodes_.contains(next.expr()))
      add_size("sym::mul", size(total), size(dim), next);
    total = next;
  }
  return total;
}

}  // namespace ptec::edge
