#include "edge/scalars.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "ir/names.h"
#include "ir/subgraphs.h"
#include "ir/targets.h"
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
  explicit Lifter(Program& program)
      : program_(program), graph_(&program.graph), names_(program.graph) {
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
    lift_in_graph();
    insert_inputs();
    for_each_graph(program_, [this](Graph& graph) {
      if (graph.id() == kMethodGraph) return;
      graph_ = &graph;
      names_ = NameTable(graph);
      lift_in_graph();
    });
    return stats_;
  }

 private:
  using Replace = std::optional<NodeId> (Lifter::*)(NodeId user, const Argument&);

  void lift_in_graph() {
    bool symbolic = false;  // some node gives a number
    for (NodeId id = graph_->first(); id != kNoNode; id = graph_->at(id).next()) {
      symbolic = symbolic || graph_->at(id).value.scalar() != nullptr;
      if (graph_->at(id).kind == NodeKind::Call) visit(id, &Lifter::lift_literal);
    }
    for (NodeId id = graph_->first(); id != kNoNode && symbolic; id = graph_->at(id).next()) {
      if (graph_->at(id).kind == NodeKind::Call) visit(id, &Lifter::lift_symbol);
    }
  }

  NodeId first_call() const {
    NodeId id = program_.graph.first();
    while (program_.graph.at(id).kind == NodeKind::Placeholder) id = program_.graph.at(id).next();
    return id;
  }

  /// Whether an argument is a number, or a node that gives one.
  bool has_numbers(const Node& node) const {
    const auto is_number = [&](const Argument& argument) {
      return literal_of(argument) || is_symbolic(*graph_, argument);
    };
    return std::any_of(node.args.begin(), node.args.end(), is_number) ||
           std::any_of(node.kwargs.begin(), node.kwargs.end(), [&](const NamedArgument& named) {
             return is_number(named.value);
           });
  }

  /// Replaces what stands in the place of a tensor, in argument order.
  void visit(NodeId id, Replace replace) {
    const OpSchema* schema = find_op(graph_->at(id).target);
    if (schema == nullptr) return;
    if (!has_numbers(graph_->at(id))) return;
    std::vector<Argument> args = graph_->at(id).args;
    std::vector<NamedArgument> kwargs = graph_->at(id).kwargs;
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
    if (changed) graph_->set_arguments(id, std::move(args), std::move(kwargs));
  }

  /// A graph of control flow keeps its constants itself, each before its reader.
  std::optional<NodeId> lift_literal(NodeId user, const Argument& argument) {
    std::optional<Literal> literal = literal_of(argument);
    if (!literal) return std::nullopt;
    ++stats_.lifted;
    const bool is_top = graph_ == &program_.graph;
    const std::string fqn = unused_name(is_top ? "_lifted_tensor_constant" : "_tensor_constant",
                                        is_top ? next_ : next_inner_);
    const TensorMeta meta = scalar_tensor_meta(literal->dtype);
    program_.tensors.emplace(fqn, TensorData{meta, Payload::of_bytes(std::move(literal->bytes))});
    Node node;
    node.name = names_.unique(fqn);
    node.value.v = meta;
    if (!is_top) {
      node.target = kConstant;
      node.args = {Argument(fqn)};
      return graph_->insert(std::move(node), user);
    }
    node.kind = NodeKind::Placeholder;
    InputSpec input;
    input.kind = InputKind::Buffer;
    input.target = fqn;
    input.name = node.name;
    input.node = graph_->insert(std::move(node), before_);
    lifted_.push_back(input);
    return input.node;
  }

  std::string unused_name(std::string_view stem, std::size_t& next) const {
    std::string name;
    do {
      name = fmt::format("{}{}", stem, next++);
    } while (program_.tensors.contains(name));
    return name;
  }

  std::optional<NodeId> lift_symbol(NodeId user, const Argument& argument) {
    const NodeId* node = argument.node();
    const SymScalar* scalar = node == nullptr ? nullptr : graph_->at(*node).value.scalar();
    if (scalar == nullptr) return std::nullopt;
    const ScalarType dtype = symbolic_type(scalar->kind);
    Node call;
    call.name = names_.unique("scalar_tensor");
    call.target = "aten::scalar_tensor.default";
    call.args = {Argument(*node)};
    call.kwargs = {{"dtype", Argument(dtype)}};
    call.value.v = scalar_tensor_meta(dtype);
    ++stats_.symbolic;
    return graph_->insert(std::move(call), user);
  }

  void insert_inputs() {
    const auto at = static_cast<std::ptrdiff_t>(place_);
    program_.inputs.insert(program_.inputs.begin() + at, lifted_.begin(), lifted_.end());
  }

  Program& program_;
  Graph* graph_;  // whose numbers are being lifted
  NameTable names_;
  std::size_t place_ = 0;    // in the signature: before the first user input
  NodeId before_ = kNoNode;  // the node at that place
  std::size_t next_ = 0;
  std::size_t next_inner_ = 0;
  std::vector<InputSpec> lifted_;
  ScalarStats stats_;
};

}  // namespace

ScalarStats lift_scalars(Program& program) { return Lifter(program).run(); }

}  // namespace ptec::edge
