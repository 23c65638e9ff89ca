#include "edge/scalars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "ir/names.h"
#include "ir/subgraphs.h"
#include "ops/ops.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

template <typename T>
std::vector<std::byte> bytes_of(T value) {
  std::vector<std::byte> out(sizeof(T));
  std::memcpy(out.data(), &value, sizeof(T));
  return out;
}

struct Literal {
  ScalarType dtype;
  std::vector<std::byte> bytes;
};

/// The tensor that torch.tensor(number) is; nothing when the argument is no number.
std::optional<Literal> literal_of(const Argument& argument) {
  if (const auto* flag = std::get_if<bool>(&argument.v))
    return Literal{ScalarType::Bool, bytes_of(static_cast<std::uint8_t>(*flag ? 1 : 0))};
  if (const auto* number = std::get_if<std::int64_t>(&argument.v))
    return Literal{ScalarType::Int64, bytes_of(*number)};
  if (const auto* real = std::get_if<double>(&argument.v))
    return Literal{ScalarType::Float32, bytes_of(static_cast<float>(*real))};
  return std::nullopt;
}

ScalarType symbolic_type(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::Int:
      return ScalarType::Int32;
    case ScalarKind::Float:
      return ScalarType::Float32;
    case ScalarKind::Bool:
      return ScalarType::Bool;
  }
  return ScalarType::Int32;
}

TensorMeta scalar_tensor_meta(ScalarType dtype) {
  TensorMeta meta;
  meta.dtype = dtype;
  return meta;
}

bool is_symbolic(const Graph& graph, const Argument& argument) {
  const NodeId* node = argument.node();
  return node != nullptr && graph.at(*node).value.scalar() != nullptr;
}

class Lifter {
 public:
  explicit Lifter(Program& program) : program_(program), names_(program.graph) {
    const auto first =
        std::find_if(program.inputs.begin(), program.inputs.end(), [](const InputSpec& input) {
          return input.kind == InputKind::UserInput;
        });
    place_ = static_cast<std::size_t>(first - program.inputs.begin());
    before_ = first == program.inputs.end() ? first_call() : first->node;
    // An engine is a buffer of the graph that the reference lowers.
    next_ = static_cast<std::size_t>(
        std::count_if(program.inputs.begin(), program.inputs.end(), [](const InputSpec& input) {
          return input.kind == InputKind::Buffer || input.kind == InputKind::CustomObject;
        }));
  }

  ScalarStats run() {
    for (NodeId id = program_.graph.first(); id != kNoNode; id = program_.graph.at(id).next()) {
      symbolic_ = symbolic_ || program_.graph.at(id).value.scalar() != nullptr;
      if (program_.graph.at(id).kind == NodeKind::Call) visit(id, &Lifter::lift_literal);
    }
    for (NodeId id = program_.graph.first(); id != kNoNode && symbolic_;
         id = program_.graph.at(id).next()) {
      if (program_.graph.at(id).kind == NodeKind::Call) visit(id, &Lifter::lift_symbol);
    }
    insert_inputs();
    return stats_;
  }

 private:
  using Replace = std::optional<NodeId> (Lifter::*)(NodeId user, const Argument&);

  NodeId first_call() const {
    NodeId id = program_.graph.first();
    while (program_.graph.at(id).kind == NodeKind::Placeholder) id = program_.graph.at(id).next();
    return id;
  }

  /// Whether an argument is a number, or a node that gives one.
  bool has_numbers(const Node& node) const {
    const auto is_number = [&](const Argument& argument) {
      return literal_of(argument) || is_symbolic(program_.graph, argument);
    };
    return std::any_of(node.args.begin(), node.args.end(), is_number) ||
           std::any_of(node.kwargs.begin(), node.kwargs.end(), [&](const NamedArgument& named) {
             return is_number(named.value);
           });
  }

  /// Replaces what stands in the place of a tensor, in argument order.
  void visit(NodeId id, Replace replace) {
    const OpSchema* schema = find_op(program_.graph.at(id).target);
    if (schema == nullptr) return;
    if (!has_numbers(program_.graph.at(id))) return;
    std::vector<Argument> args = program_.graph.at(id).args;
    std::vector<NamedArgument> kwargs = program_.graph.at(id).kwargs;
    bool changed = false;
    const auto consider = [&](Argument& argument, const ArgumentSchema& wanted) {
      if (wanted.type != ArgumentType::Tensor || wanted.list) return;
      const std::optional<NodeId> tensor = (this->*replace)(id, argument);
      if (!tensor) return;
      argument = Argument(*tensor);
      changed = true;
    };
    for (std::size_t i = 0; i < args.size() && i < schema->arguments.size(); ++i)
      consider(args[i], schema->arguments[i]);
    for (NamedArgument& named : kwargs) {
      if (const auto index = schema->find_argument(named.name))
        consider(named.value, schema->arguments[*index]);
    }
    if (changed) program_.graph.set_arguments(id, std::move(args), std::move(kwargs));
  }

  std::optional<NodeId> lift_literal(NodeId, const Argument& argument) {
    std::optional<Literal> literal = literal_of(argument);
    if (!literal) return std::nullopt;
    std::string fqn;
    do {
      fqn = fmt::format("_lifted_tensor_constant{}", next_++);
    } while (program_.tensors.contains(fqn));
    const TensorMeta meta = scalar_tensor_meta(literal->dtype);
    program_.tensors.emplace(fqn, TensorData{meta, Payload::of_bytes(std::move(literal->bytes))});
    Node placeholder;
    placeholder.kind = NodeKind::Placeholder;
    placeholder.name = names_.unique(fqn);
    placeholder.value.v = meta;
    InputSpec input;
    input.kind = InputKind::Buffer;
    input.target = fqn;
    input.name = placeholder.name;
    input.node = program_.graph.insert(std::move(placeholder), before_);
    lifted_.push_back(input);
    ++stats_.lifted;
    return input.node;
  }

  std::optional<NodeId> lift_symbol(NodeId user, const Argument& argument) {
    const NodeId* node = argument.node();
    const SymScalar* scalar = node == nullptr ? nullptr : program_.graph.at(*node).value.scalar();
    if (scalar == nullptr) return std::nullopt;
    const ScalarType dtype = symbolic_type(scalar->kind);
    Node call;
    call.name = names_.unique("scalar_tensor");
    call.target = "aten::scalar_tensor.default";
    call.args = {Argument(*node)};
    call.kwargs = {{"dtype", Argument(dtype)}};
    call.value.v = scalar_tensor_meta(dtype);
    ++stats_.symbolic;
    return program_.graph.insert(std::move(call), user);
  }

  void insert_inputs() {
    const auto at = static_cast<std::ptrdiff_t>(place_);
    program_.inputs.insert(program_.inputs.begin() + at, lifted_.begin(), lifted_.end());
  }

  Program& program_;
  NameTable names_;
  std::size_t place_ = 0;    // in the signature: before the first user input
  NodeId before_ = kNoNode;  // the node at that place
  std::size_t next_ = 0;
  bool symbolic_ = false;  // some node gives a number
  std::vector<InputSpec> lifted_;
  ScalarStats stats_;
};

}  // namespace

void use_scalar_overloads(Program& program) {
  for_each_graph(program, [&program](Graph& graph) {
    if (graph.id() == kMethodGraph) return;
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
      Node& node = graph.at(id);
      const bool number =
          node.args.size() > 1 && (literal_of(node.args[1]) || is_symbolic(graph, node.args[1]));
      if (!number || node.target.find(".Tensor") == std::string::npos) continue;
      std::string overload = node.target;
      overload.replace(overload.find(".Tensor"), 7, ".Scalar");
      const OpSchema* schema = find_op(overload);
      if (schema != nullptr && schema->arguments.size() > 1 &&
          schema->arguments[1].type == ArgumentType::Scalar)
        node.target = std::move(overload);
    }
  });
}

ScalarStats lift_scalars(Program& program) { return Lifter(program).run(); }

}  // namespace ptec::edge
