#include "ir/program.h"

#include <algorithm>
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

void Graph::enter_uses(NodeId id) {
  for_each_input(at(id), [this, id](NodeId input) {
    std::vector<NodeId>& users = at(input).users;
    // A node is in no list when it enters, so a repeat within its own arguments is the last entry.
    if (users.empty() || users.back() != id) users.push_back(id);
  });
}

void Graph::leave_uses(NodeId id) {
  for_each_input(at(id), [this, id](NodeId input) { remove_once(at(input).users, id); });
}

NodeId Graph::insert(Node node, NodeId before) {
  const NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  node.users.clear();
  node.erased = false;
  node.next = before;
  node.previous = before == kNoNode ? last_ : at(before).previous;
  nodes_.push_back(std::move(node));
  Node& added = at(id);
  (added.previous == kNoNode ? first_ : at(added.previous).next) = id;
  (before == kNoNode ? last_ : at(before).previous) = id;
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
  const std::vector<NodeId> users = at(from).users;
  for (const NodeId user : users) {
    if (user == keep) continue;
    leave_uses(user);
    for (Argument& argument : at(user).args) replace_in(argument, from, to);
    for (NamedArgument& argument : at(user).kwargs) replace_in(argument.value, from, to);
    enter_uses(user);
  }
}

void Graph::erase(NodeId id) {
  Node& node = at(id);
  PTEC_INVARIANT(!node.erased && node.users.empty(), "erased node '" + node.name + "' has users");
  leave_uses(id);
  (node.previous == kNoNode ? first_ : at(node.previous).next) = node.next;
  (node.next == kNoNode ? last_ : at(node.next).previous) = node.previous;
  if (node.kind == NodeKind::Placeholder) std::erase(inputs, id);
  node = Node{};
  node.erased = true;
  --live_;
}

void Graph::reorder(const std::vector<NodeId>& order) {
  PTEC_INVARIANT(order.size() == live_, "a new order must name every live node once");
  first_ = last_ = kNoNode;
  for (const NodeId id : order) {
    Node& node = at(id);
    node.users.clear();
    node.previous = last_;
    node.next = kNoNode;
    (last_ == kNoNode ? first_ : at(last_).next) = id;
    last_ = id;
  }
  for (const NodeId id : order) enter_uses(id);
}

std::vector<NodeId> Graph::order() const {
  std::vector<NodeId> out;
  out.reserve(live_);
  for (NodeId id = first_; id != kNoNode; id = at(id).next) out.push_back(id);
  return out;
}

SpecId Program::storage_of(SpecId id) const {
  return id == kNoSpec || spec(id).view_base == kNoSpec ? id : spec(id).view_base;
}

SpecId Program::add_spec(TensorSpec spec) {
  specs.push_back(std::move(spec));
  return SpecId{static_cast<std::uint32_t>(specs.size() - 1)};
}

const InputSpec* Program::find_input(NodeId placeholder) const {
  for (const InputSpec& input : inputs) {
    if (input.node == placeholder) return &input;
  }
  return nullptr;
}

}  // namespace ptec
