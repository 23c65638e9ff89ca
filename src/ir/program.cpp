#include "ir/program.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "support/error.h"

namespace ptec {
namespace {

void remove_once(std::vector<NodeId>& users, NodeId user) {
  const auto found = std::find(users.begin(), users.end(), user);
  if (found != users.end()) users.erase(found);
}

void replace_in(Argument& argument, NodeId from, NodeId to) {
  if (NodeId* node = std::get_if<NodeId>(&argument.v)) {
    if (*node == from) *node = to;
  } else if (Argument::List* list = std::get_if<Argument::List>(&argument.v)) {
    for (Argument& item : *list) replace_in(item, from, to);
  }
}

}  // namespace

void Graph::fail_unknown(NodeId id) const {
  fail(ErrorCode::Internal,
       "no node has the id " + std::to_string(static_cast<std::uint32_t>(id)) +
           "; the graph's are below " + std::to_string(nodes_.size()));
}

void Graph::enter_uses(NodeId id) {
  for_each_input(at(id), [this, id](NodeId input) {
    std::vector<NodeId>& users = at(input).users_;
    // A node is in no list when it enters, so a repeat within its own arguments is the last entry.
    if (users.empty() || users.back() != id) users.push_back(id);
  });
}

void Graph::leave_uses(NodeId id) {
  for_each_input(at(id), [this, id](NodeId input) { remove_once(at(input).users_, id); });
}

NodeId Graph::insert(Node node, NodeId before) {
  const NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  node.users_.clear();
  node.erased_ = false;
  node.next_ = before;
  node.previous_ = before == kNoNode ? last_ : at(before).previous_;
  nodes_.push_back(std::move(node));
  Node& added = at(id);
  (added.previous_ == kNoNode ? first_ : at(added.previous_).next_) = id;
  (before == kNoNode ? last_ : at(before).previous_) = id;
  ++live_;
  enter_uses(id);
  return id;
}

void Graph::set_arguments(NodeId id,
                          std::vector<Argument> args,
                          std::vector<NamedArgument> kwargs) {
  leave_uses(id);
  at(id).args = std::move(args);
  at(id).kwargs = std::move(kwargs);
  enter_uses(id);
}

void Graph::replace_all_uses(NodeId from, NodeId to, NodeId keep) {
  const std::vector<NodeId> users = at(from).users_;
  for (const NodeId user : users) {
    if (user == keep) continue;
    leave_uses(user);
    for (Argument& argument : at(user).args) replace_in(argument, from, to);
    for (NamedArgument& argument : at(user).kwargs) replace_in(argument.value, from, to);
    enter_uses(user);
  }
}

void Graph::erase(NodeId id) {
  const Node& node = at(id);
  PTEC_INVARIANT(!node.erased_ && node.users_.empty(), "erased node '" + node.name + "' has users");
  leave_uses(id);
  unlink(id);
}

void Graph::erase_all(const std::vector<NodeId>& ids) {
  const std::unordered_set<NodeId> going(ids.begin(), ids.end());
  std::unordered_set<NodeId> inputs_left;
  for (const NodeId id : ids) {
    for_each_input(at(id), [&inputs_left](NodeId input) { inputs_left.insert(input); });
  }
  for (const NodeId input : inputs_left) {
    std::erase_if(at(input).users_, [&going](NodeId user) { return going.contains(user); });
  }
  for (const NodeId id : going) {
    const Node& node = at(id);
    PTEC_INVARIANT(!node.erased_ && node.users_.empty(),
                   "erased node '" + node.name + "' has users");
    unlink(id);
  }
}

void Graph::unlink(NodeId id) {
  Node& node = at(id);
  (node.previous_ == kNoNode ? first_ : at(node.previous_).next_) = node.next_;
  (node.next_ == kNoNode ? last_ : at(node.next_).previous_) = node.previous_;
  if (node.kind == NodeKind::Placeholder) std::erase(inputs, id);
  node = Node{};
  node.erased_ = true;
  --live_;
}

void Graph::reorder(const std::vector<NodeId>& order) {
  PTEC_INVARIANT(order.size() == live_, "a new order must name every live node once");
  first_ = last_ = kNoNode;
  for (const NodeId id : order) {
    Node& node = at(id);
    node.users_.clear();
    node.previous_ = last_;
    node.next_ = kNoNode;
    (last_ == kNoNode ? first_ : at(last_).next_) = id;
    last_ = id;
  }
  for (const NodeId id : order) enter_uses(id);
}

std::vector<NodeId> Graph::order() const {
  std::vector<NodeId> out;
  out.reserve(live_);
  for (NodeId id = first_; id != kNoNode; id = at(id).next_) out.push_back(id);
  return out;
}

GraphId Program::add_subgraph(Graph subgraph) {
  subgraphs.push_back(std::move(subgraph));
  const GraphId id{static_cast<std::uint32_t>(subgraphs.size())};  // 0 is the method's own
  subgraphs.back().id_ = id;
  return id;
}

const Graph& Program::graph_of(GraphId id) const {
  if (id == kMethodGraph) return graph;
  const std::size_t index = static_cast<std::size_t>(id) - 1;
  PTEC_INVARIANT(index < subgraphs.size(), "an argument names a graph that the program has not");
  return subgraphs[index];
}

const InputSpec* Program::find_input(NodeId placeholder) const {
  for (const InputSpec& input : inputs) {
    if (input.node == placeholder) return &input;
  }
  return nullptr;
}

}  // namespace ptec
