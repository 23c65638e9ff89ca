// The intermediate representation: one exported program, that is one method, as torch.export sees
// it.
//
// A graph is a list of nodes in execution order. A node has one result; an operator with several
// results has a list result, and `getitem` nodes take the elements out of it, as in torch.fx. Users
// are kept in the order in which they began to use the node: the order of instructions in a
// reference .pte depends on it (edge/fuse.h).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "archive/engine_object.h"
#include "ir/delegate.h"
#include "ir/scalar_type.h"
#include "support/payload.h"
#include "sym/sym_expr.h"

namespace ptec {

enum class NodeId : std::uint32_t {};
inline constexpr NodeId kNoNode = static_cast<NodeId>(0xFFFFFFFFu);
enum class SpecId : std::uint32_t {};  // plan-time description of a tensor, see exec/specs.h
inline constexpr SpecId kNoSpec = static_cast<SpecId>(0xFFFFFFFFu);

struct Device {
  std::string type = "cpu";
  std::optional<std::int64_t> index;
  friend bool operator==(const Device&, const Device&) = default;
};

/// dtype, shape and layout of a tensor, symbolic where the program is. Strides and offset are in
/// elements.
struct TensorMeta {
  ScalarType dtype = ScalarType::Float32;
  std::vector<Dim> sizes;
  std::vector<Dim> strides;
  Dim storage_offset = 0;
  bool requires_grad = false;
  Device device;
};

enum class ScalarKind : std::uint8_t { Int, Float, Bool };

/// A symbolic scalar: an int, float or bool that is only known when the program runs.
struct SymScalar {
  ScalarKind kind = ScalarKind::Int;
  Dim value;                     // Int and Bool: expression or number
  std::optional<double> number;  // Float with a known value
};

struct ObjectRef {  // a custom object, e.g. an engine; `fqn` is its key in Program::objects
  std::string fqn;
};

struct NoValue {};  // the node returns nothing (an assert, the output)

/// One result: nothing, a tensor, a scalar or an object.
using ValueItem = std::variant<NoValue, TensorMeta, SymScalar, ObjectRef>;
/// What a node returns. A list stands for an operator with several results.
struct Value {
  std::variant<NoValue, TensorMeta, SymScalar, ObjectRef, std::vector<ValueItem>> v;
  const TensorMeta* tensor() const { return std::get_if<TensorMeta>(&v); }
  TensorMeta* tensor() { return std::get_if<TensorMeta>(&v); }
  const SymScalar* scalar() const { return std::get_if<SymScalar>(&v); }
  const std::vector<ValueItem>* list() const { return std::get_if<std::vector<ValueItem>>(&v); }
};

struct None {
  friend bool operator==(None, None) { return true; }
};
enum class LayoutCode : std::int64_t {};  // torch.export's numbers; 7 is strided
enum class MemoryFormatCode : std::int64_t {
};  // torch.export's numbers; 1 contiguous .. 4 preserve
struct Graph;

/// An argument of a node.
struct Argument {
  using List = std::vector<Argument>;
  using Variant = std::variant<None,
                               bool,
                               std::int64_t,
                               double,
                               std::string,
                               NodeId,
                               ScalarType,
                               LayoutCode,
                               MemoryFormatCode,
                               Device,
                               List,
                               std::shared_ptr<Graph>>;  // a branch or body of control flow
  Variant v;

  Argument() = default;
  template <typename T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, Argument>) Argument(T&& value)
      : v(std::forward<T>(value)) {}  // NOLINT(google-explicit-constructor): arguments are literals

  const NodeId* node() const { return std::get_if<NodeId>(&v); }
  const List* list() const { return std::get_if<List>(&v); }
  bool is_none() const { return std::holds_alternative<None>(v); }
};

struct NamedArgument {
  std::string name;
  Argument value;
};

enum class NodeKind : std::uint8_t { Placeholder, Call, Output };

struct Node {
  NodeKind kind = NodeKind::Call;
  std::string name;    // unique in its graph
  std::string target;  // "aten::add.Tensor", "tensorrt::execute_engine.default", "getitem",
                       // "sym::add"; empty if no call
  std::vector<Argument> args;
  std::vector<NamedArgument> kwargs;
  Value value;

  // Kept by Graph.
  std::vector<NodeId> users;  // each once, in the order of first use
  NodeId previous = kNoNode;
  NodeId next = kNoNode;
  bool erased = false;

  // Set by the edge stage. One spec for a tensor, one an element for a list.
  std::vector<SpecId> specs;
};

/// Nodes in execution order, with use lists. Ids stay valid until the node is erased and are never
/// reused.
struct Graph {
 public:
  Graph() = default;

  NodeId first() const { return first_; }
  NodeId last() const { return last_; }
  std::size_t size() const { return live_; }              // nodes that are not erased
  std::size_t id_bound() const { return nodes_.size(); }  // every id is below this

  const Node& at(NodeId id) const { return nodes_[static_cast<std::size_t>(id)]; }
  Node& at(NodeId id) { return nodes_[static_cast<std::size_t>(id)]; }

  /// Adds a node before `before` (kNoNode: at the end) and enters it as user of its arguments.
  NodeId insert(Node node, NodeId before = kNoNode);
  /// Replaces all arguments; use lists follow as in torch.fx: the node leaves every list, then
  /// enters again in order.
  void set_arguments(NodeId id, std::vector<Argument> args, std::vector<NamedArgument> kwargs);
  /// Every user of `from` uses `to` instead, in user order. `keep` is left alone.
  void replace_all_uses(NodeId from, NodeId to, NodeId keep = kNoNode);
  /// The node must have no users.
  void erase(NodeId id);
  /// Gives the live nodes a new order; use lists are rebuilt in it.
  void reorder(const std::vector<NodeId>& order);
  /// Live nodes in order.
  std::vector<NodeId> order() const;

  // A graph of control flow keeps its own inputs and outputs; the top graph's are in the signature.
  std::vector<NodeId> inputs;  // placeholders in order
  NodeId output = kNoNode;     // its single argument is the list of results

 private:
  void enter_uses(NodeId id);
  void leave_uses(NodeId id);

  std::deque<Node> nodes_;  // grows without moving what is there
  NodeId first_ = kNoNode;
  NodeId last_ = kNoNode;
  std::size_t live_ = 0;
};

/// Calls `visit(NodeId)` for each node mentioned in the arguments, positional first, lists
/// flattened, repeats included.
template <typename Visit>
void for_each_input(const Argument& argument, const Visit& visit) {
  if (const NodeId* node = argument.node()) visit(*node);
  if (const Argument::List* list = argument.list()) {
    for (const Argument& item : *list) for_each_input(item, visit);
  }
}
template <typename Visit>
void for_each_input(const Node& node, const Visit& visit) {
  for (const Argument& argument : node.args) for_each_input(argument, visit);
  for (const NamedArgument& argument : node.kwargs) for_each_input(argument.value, visit);
}

enum class InputKind : std::uint8_t {
  UserInput,
  ConstantInput,
  Parameter,
  Buffer,
  TensorConstant,
  CustomObject,
  Token
};
struct InputSpec {
  InputKind kind = InputKind::UserInput;
  NodeId node = kNoNode;   // its placeholder; a ConstantInput has one too, without users
  std::string target;      // FQN of parameter, buffer, constant or object
  bool persistent = true;  // buffers
  Argument constant;       // ConstantInput: the specialised value
  std::string name;        // the name in the signature, e.g. of a ConstantInput
};

enum class OutputKind : std::uint8_t {
  UserOutput,
  BufferMutation,
  ParameterMutation,
  UserInputMutation,
  LossOutput,
  GradientToParameter,
  GradientToUserInput,
  Token,
};
struct OutputSpec {
  OutputKind kind = OutputKind::UserOutput;
  std::string target;  // FQN, or the mutated input's placeholder name
};                     // its value is the argument at the same place of the output node's list

/// Bytes of a parameter, buffer or constant: a strided view of one storage payload.
struct TensorData {
  TensorMeta meta;  // all numbers
  Payload storage;
};

/// Nested containers of inputs or outputs, as torch.utils._pytree serialises them.
struct TreeSpec {
  std::optional<std::string> type;  // absent for a leaf
  std::string context;              // as in the file; for a dict the JSON list of its keys
  std::vector<TreeSpec> children;
};

/// A tensor as the runtime sees it. Getitems share the spec of the element that they take.
struct TensorSpec {
  ScalarType dtype = ScalarType::Float32;
  std::vector<Dim> sizes;  // symbolic until the upper-bound pass
  std::vector<Dim> strides;
  std::vector<std::uint8_t> dim_order;  // outermost first
  bool dynamic = false;                 // DYNAMIC_BOUND
  bool constant = false;
  bool requires_grad = false;
  std::optional<std::int64_t> cuda_index;  // set: lives on that CUDA device
  std::string constant_fqn;                // constant: key in Program::tensors
  SpecId view_base = kNoSpec;              // shares the storage of that spec
  std::uint32_t memory_id = 0;             // 0 until planned
  std::uint64_t memory_offset_bytes = 0;
};

/// Copying a Program copies its structure and shares its payloads.
struct Program {
  std::string name = "forward";  // method name
  Graph graph;
  std::vector<InputSpec> inputs;                           // one a placeholder, in order
  std::vector<OutputSpec> outputs;                         // one an output, in order
  std::map<std::string, TensorData, std::less<>> tensors;  // parameters, buffers, constants by FQN
  std::map<std::string, archive::EngineObject, std::less<>> objects;  // custom objects by FQN
  ExprPool exprs;
  SymbolRanges ranges;
  TreeSpec input_tree;  // tuple of (positional tuple, keyword dict)
  TreeSpec output_tree;
  std::string torch_version;
  std::vector<std::string> verifiers;

  // Filled by the edge stage.
  std::vector<Delegate> delegates;
  std::vector<TensorSpec> specs;

  TensorSpec& spec(SpecId id) { return specs[static_cast<std::size_t>(id)]; }
  const TensorSpec& spec(SpecId id) const { return specs[static_cast<std::size_t>(id)]; }
  SpecId add_spec(TensorSpec spec);
  /// The spec whose memory this one shows: itself unless it is a view.
  SpecId storage_of(SpecId id) const;
  /// The input spec of a placeholder. Null when the node is none.
  const InputSpec* find_input(NodeId placeholder) const;
};

}  // namespace ptec
