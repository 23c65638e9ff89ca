#include "ir/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "ir/targets.h"
#include "support/error.h"

namespace ptec {
namespace {

class Verifier {
 public:
  Verifier(const Program& program, std::string_view after) : program_(program), after_(after) {}

  void check_program() {
    // The top graph's inputs are the signature's: passes drop placeholders together with their
    // specs.
    std::vector<NodeId> inputs;
    for (const InputSpec& input : program_.inputs) inputs.push_back(input.node);
    check_graph(program_.graph, inputs);
    for (const InputSpec& input : program_.inputs) check_input(input);
    check_outputs();
  }

 private:
  void require(bool condition, const std::string& node, std::string_view rule) const {
    if (condition) return;
    PTEC_INVARIANT(false, fmt::format("after '{}', node '{}': {}", after_, node, rule));
  }

  void check_graph(const Graph& graph, const std::vector<NodeId>& inputs) {
    std::unordered_set<std::string_view> names;
    std::vector<bool> defined(graph.id_bound(), false);
    std::size_t live = 0;
    NodeId previous = kNoNode;
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
      const Node& node = graph.at(id);
      require(!node.erased, node.name, "it was erased, but is still in the list");
      require(node.previous == previous, node.name, "the links to its neighbours disagree");
      require(++live <= graph.id_bound(), node.name, "the list of nodes runs in a circle");
      require(!node.name.empty(), node.name, "it has no name");
      require(names.insert(node.name).second, node.name, "another node has the same name");
      for_each_input(node, [&](NodeId input) {
        const std::size_t index = static_cast<std::size_t>(input);
        require(index < defined.size() && defined[index],
                node.name,
                "it uses a node that is not defined before it");
      });
      check_node(graph, node);
      defined[static_cast<std::size_t>(id)] = true;
      previous = id;
    }
    require(previous == graph.last() && live == graph.size(),
            live == 0 ? std::string() : graph.at(previous).name,
            "the list of nodes does not end where it should");
    check_users(graph);
    check_ends(graph, inputs);
  }

  // Use lists, compared with the arguments: the same users, each once.
  void check_users(const Graph& graph) const {
    std::vector<std::vector<NodeId>> users(graph.id_bound());
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
      for_each_input(graph.at(id), [&](NodeId input) {
        std::vector<NodeId>& list = users[static_cast<std::size_t>(input)];
        if (list.empty() || list.back() != id) list.push_back(id);
      });
    }
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
      std::vector<NodeId>& wanted = users[static_cast<std::size_t>(id)];
      std::vector<NodeId> found = graph.at(id).users;
      std::sort(wanted.begin(), wanted.end());
      std::sort(found.begin(), found.end());
      require(found == wanted, graph.at(id).name, "its use list disagrees with the arguments");
    }
  }

  void check_ends(const Graph& graph, const std::vector<NodeId>& inputs) const {
    std::size_t placeholders = 0;
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
      const Node& node = graph.at(id);
      if (node.kind == NodeKind::Placeholder) {
        require(placeholders < inputs.size() && inputs[placeholders] == id,
                node.name,
                "it is not in its place among the inputs");
        ++placeholders;
      }
      if (node.kind == NodeKind::Output) {
        require(id == graph.last(), node.name, "it is not the last node");
        require(node.args.size() == 1 && node.args[0].list() != nullptr && node.kwargs.empty(),
                node.name,
                "the output takes one list of results");
      }
    }
    require(placeholders == inputs.size(), "", "an input has no placeholder");
    require(graph.last() != kNoNode && graph.at(graph.last()).kind == NodeKind::Output,
            "",
            "the graph has no output");
  }

  void check_node(const Graph& graph, const Node& node) {
    check_value(node);
    if (node.kind == NodeKind::Call) {
      require(!node.target.empty(), node.name, "it calls nothing");
      if (node.target == kGetItem) check_getitem(graph, node);
      if (node.target == kDelegateCall) check_delegate_call(node);
    } else {
      require(node.target.empty(), node.name, "only calls have a target");
    }
    for (const Argument& argument : node.args) check_subgraphs(argument, node);
    for (const NamedArgument& argument : node.kwargs) check_subgraphs(argument.value, node);
  }

  void check_subgraphs(const Argument& argument, const Node& node) {
    if (const auto* graph = std::get_if<std::shared_ptr<Graph>>(&argument.v)) {
      require(*graph != nullptr, node.name, "a sub-graph is missing");
      check_graph(**graph, (*graph)->inputs);
    }
    if (const Argument::List* list = argument.list()) {
      for (const Argument& item : *list) check_subgraphs(item, node);
    }
  }

  void check_value(const Node& node) const {
    if (const TensorMeta* tensor = node.value.tensor()) check_tensor(*tensor, node);
    if (const std::vector<ValueItem>* list = node.value.list()) {
      for (const ValueItem& item : *list) {
        if (const TensorMeta* tensor = std::get_if<TensorMeta>(&item)) check_tensor(*tensor, node);
      }
    }
  }

  void check_tensor(const TensorMeta& tensor, const Node& node) const {
    require(tensor.sizes.size() == tensor.strides.size(),
            node.name,
            "a tensor has as many strides as sizes");
    check_dim(tensor.storage_offset, node);
    for (const Dim& dim : tensor.sizes) check_dim(dim, node);
    for (const Dim& dim : tensor.strides) check_dim(dim, node);
  }

  void check_dim(const Dim& dim, const Node& node) const {
    require(dim.is_number() || static_cast<std::size_t>(dim.expr()) < program_.exprs.size(),
            node.name,
            "an expression is not in the program's pool");
  }

  void check_getitem(const Graph& graph, const Node& node) const {
    const NodeId* source = node.args.size() == 2 ? node.args[0].node() : nullptr;
    const std::int64_t* index =
        node.args.size() == 2 ? std::get_if<std::int64_t>(&node.args[1].v) : nullptr;
    require(source != nullptr && index != nullptr, node.name, "getitem takes a list and an index");
    const std::vector<ValueItem>* list = graph.at(*source).value.list();
    require(list != nullptr, node.name, "getitem takes from something that is no list");
    require(*index >= 0 && static_cast<std::size_t>(*index) < list->size(),
            node.name,
            "the index of getitem is outside the list");
  }

  // Programs from text have calls, but no delegates.
  void check_delegate_call(const Node& node) const {
    const std::int64_t* index =
        node.args.empty() ? nullptr : std::get_if<std::int64_t>(&node.args[0].v);
    require(index != nullptr && *index >= 0, node.name, "a delegate call starts with its index");
    require(
        program_.delegates.empty() || static_cast<std::size_t>(*index) < program_.delegates.size(),
        node.name,
        "the index of a delegate call is outside the list");
  }

  void check_input(const InputSpec& input) const {
    const Node& placeholder = program_.graph.at(input.node);
    switch (input.kind) {
      case InputKind::Parameter:
      case InputKind::Buffer:
      case InputKind::TensorConstant:
        require(program_.tensors.contains(input.target),
                placeholder.name,
                "its tensor is not in the program");
        break;
      case InputKind::CustomObject:
        require(program_.objects.contains(input.target) || placeholder.users.empty(),
                placeholder.name,
                "its object is not in the program");
        break;
      case InputKind::UserInput:
      case InputKind::ConstantInput:
      case InputKind::Token:
        break;
    }
  }

  void check_outputs() const {
    const Node& output = program_.graph.at(program_.graph.last());
    require(program_.outputs.size() == output.args[0].list()->size(),
            output.name,
            "as many output specs as outputs");
  }

  const Program& program_;
  std::string_view after_;
};

}  // namespace

void verify(const Program& program, std::string_view after) {
  Verifier(program, after).check_program();
}

}  // namespace ptec
