#include "edge/alias_tracker.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "ops/ops.h"
#include "ops/views.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

/// Views that a write can go through, by the operator that puts the new value into what is shown.
struct WritableView {
  std::string_view view;
  std::string_view scatter;  // empty: the view is undone and the value is the whole base
};
constexpr WritableView kWritable[] = {
    {"aten::alias.default", ""},
    {"aten::diagonal.default", "aten::diagonal_scatter.default"},
    {"aten::narrow.default", "aten::slice_scatter.default"},
    {"aten::permute.default", ""},
    {"aten::select.int", "aten::select_scatter.default"},
    {"aten::slice.Tensor", "aten::slice_scatter.default"},
    {"aten::squeeze.default", ""},
    {"aten::squeeze.dim", ""},
    {"aten::squeeze.dims", ""},
    {"aten::t.default", ""},
    {"aten::transpose.int", ""},
    {"aten::unsqueeze.default", ""},
    {"aten::view.default", ""},
};

/// Operators that return a view or a copy, whichever the layout allows.
constexpr std::string_view kViewOrCopy[] = {
    "aten::_reshape_alias.default",
    "aten::chunk.default",
    "aten::expand_as.default",
    "aten::flatten.using_ints",
    "aten::mT.default",
    "aten::movedim.int",
    "aten::movedim.intlist",
    "aten::numpy_T.default",
    "aten::ravel.default",
    "aten::reshape.default",
    "aten::reshape_as.default",
    "aten::swapaxes.default",
    "aten::swapdims.default",
    "aten::tensor_split.indices",
    "aten::tensor_split.sections",
    "aten::unflatten.int",
    "aten::view_as.default",
};

const WritableView* find_writable(std::string_view target) {
  const auto* const row =
      std::find_if(std::begin(kWritable), std::end(kWritable), [target](const WritableView& each) {
        return each.view == target;
      });
  return row == std::end(kWritable) ? nullptr : row;
}

bool is_view_or_copy(std::string_view target) {
  return std::find(std::begin(kViewOrCopy), std::end(kViewOrCopy), target) != std::end(kViewOrCopy);
}

std::optional<Argument> sizes_argument(const TensorMeta& tensor) {
  Argument::List out;
  for (const Dim& size : tensor.sizes) {
    if (!size.is_number()) return std::nullopt;
    out.emplace_back(size.number());
  }
  return Argument(std::move(out));
}

std::int64_t int_argument(const Node& node, std::size_t index) {
  const auto* number =
      index < node.args.size() ? std::get_if<std::int64_t>(&node.args[index].v) : nullptr;
  return number == nullptr ? 0 : *number;
}

Argument inverse_permutation(const Node& permute) {
  const Argument::List& dims = *permute.args.at(1).list();
  const auto rank = static_cast<std::int64_t>(dims.size());
  Argument::List out(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::int64_t dim = std::get<std::int64_t>(dims[i].v);
    out[static_cast<std::size_t>(dim < 0 ? dim + rank : dim)] =
        Argument(static_cast<std::int64_t>(i));
  }
  return Argument(std::move(out));
}

bool has_static_sizes(const Node& node) {
  return node.value.tensor() != nullptr && sizes_argument(*node.value.tensor()).has_value();
}

}  // namespace

AliasTracker::AliasTracker(Program& program)
    : program_(program), graph_(program.graph), names_(program.graph) {}

NodeId AliasTracker::tensor_of(NodeId id) const {
  const auto found = same_.find(id);
  return found == same_.end() ? id : found->second;
}

AliasTracker::Root& AliasTracker::root_of(NodeId id) {
  const auto view = views_.find(id);
  const NodeId root = view == views_.end() ? id : view->second.root;
  return roots_.try_emplace(root, Root{root, 0, {}}).first->second;
}

void AliasTracker::refresh_operands(NodeId id) {
  if (writes_in_place(graph_.at(id).target) && !graph_.at(id).args.empty()) {
    if (const NodeId* operand = graph_.at(id).args[0].node()) written_[id] = tensor_of(*operand);
  }
  std::vector<NodeId> inputs;
  for_each_input(graph_.at(id), [&](NodeId input) { inputs.push_back(input); });
  std::map<NodeId, NodeId> replaced;
  for (const NodeId input : inputs) {
    const NodeId now = current(tensor_of(input), id);
    if (now != input) replaced[input] = now;
  }
  if (replaced.empty()) return;
  const auto refresh = [&replaced](Argument argument, const auto& self) -> Argument {
    if (const NodeId* node = argument.node()) {
      const auto found = replaced.find(*node);
      return found == replaced.end() ? argument : Argument(found->second);
    }
    if (auto* list = std::get_if<Argument::List>(&argument.v)) {
      for (Argument& item : *list) item = self(item, self);
    }
    return argument;
  };
  std::vector<Argument> args = graph_.at(id).args;
  std::vector<NamedArgument> kwargs = graph_.at(id).kwargs;
  for (Argument& argument : args) argument = refresh(argument, refresh);
  for (NamedArgument& argument : kwargs) argument.value = refresh(argument.value, refresh);
  graph_.set_arguments(id, std::move(args), std::move(kwargs));
}

void AliasTracker::note_view(NodeId id) {
  const Node& node = graph_.at(id);
  const bool opaque = is_view_or_copy(node.target);
  if (!opaque && copy_of_view(node.target).empty()) return;
  const NodeId* operand = node.args.empty() ? nullptr : node.args[0].node();
  if (operand == nullptr) return;
  // The operand may be a value that a tensor has now; the view is one of that tensor.
  const NodeId parent = tensor_of(*operand);
  const auto shown = views_.find(parent);
  View view;
  view.root = shown == views_.end() ? parent : shown->second.root;
  view.parent = parent;
  view.value = id;
  Root& root = root_of(view.root);
  view.version = root.version;
  view.opaque = opaque || find_writable(node.target) == nullptr ||
                (shown != views_.end() && shown->second.opaque);
  if (view.opaque) root.opaque.push_back(id);
  views_[id] = view;
}

NodeId AliasTracker::written_by(NodeId id) const {
  const auto found = written_.find(id);
  PTEC_INVARIANT(found != written_.end(), "a write without a tensor");
  return found->second;
}

std::string AliasTracker::problem_with_write(NodeId tensor) const {
  const auto view = views_.find(tensor);
  const NodeId root = view == views_.end() ? tensor : view->second.root;
  const auto found = roots_.find(root);
  if (found != roots_.end() && !found->second.opaque.empty()) {
    return fmt::format(
        "'{}' may share memory with '{}', which is written here; export the program with "
        "run_decompositions() first",
        graph_.at(found->second.opaque.front()).name,
        graph_.at(root).name);
  }
  // Undoing a view needs the sizes of what it shows.
  for (auto shown = view; shown != views_.end(); shown = views_.find(shown->second.parent)) {
    if (has_static_sizes(graph_.at(shown->second.parent))) continue;
    return fmt::format("a write through a view of '{}', whose shape is dynamic, cannot be followed",
                       graph_.at(shown->second.parent).name);
  }
  return {};
}

void AliasTracker::set_value(NodeId tensor, NodeId node, NodeId value) {
  Root& root = root_of(tensor);
  ++root.version;
  same_[node] = tensor;
  same_[value] = tensor;
  const auto view = views_.find(tensor);
  if (view == views_.end()) {
    root.value = value;
    return;
  }
  const NodeId before = graph_.at(value).next;
  root.value = write_through(tensor, root.value, value, before);
  same_[root.value] = view->second.root;
  view->second.value = chain_again(tensor, root.value, before);
  view->second.version = root.version;
  same_[view->second.value] = tensor;
}

NodeId AliasTracker::current(NodeId id, NodeId before) {
  const auto view = views_.find(id);
  if (view == views_.end()) {
    const auto root = roots_.find(id);
    return root == roots_.end() ? id : root->second.value;
  }
  const Root& root = root_of(id);
  if (view->second.version != root.version) {
    view->second.value = chain_again(id, root.value, before);
    view->second.version = root.version;
    same_[view->second.value] = id;
  }
  return view->second.value;
}

/// The view, what it shows, and so on; the root is not among them.
std::vector<NodeId> AliasTracker::chain_of(NodeId view) const {
  std::vector<NodeId> chain;
  for (auto at = views_.find(view); at != views_.end(); at = views_.find(at->second.parent))
    chain.push_back(at->first);
  return chain;
}

/// The root's new value after `value` was written to the view: the views between are made again
/// from `base`, then each takes the new value of the one after it.
NodeId AliasTracker::write_through(NodeId view, NodeId base, NodeId value, NodeId before) {
  const std::vector<NodeId> chain = chain_of(view);
  std::vector<NodeId> bases = {base};  // what chain.back() shows, and so on towards the view
  for (std::size_t i = chain.size(); i-- > 1;)
    bases.push_back(view_again(chain[i], bases.back(), before));
  for (std::size_t i = 0; i < chain.size(); ++i)
    value = put_back(chain[i], bases[chain.size() - 1 - i], value, before);
  return value;
}

NodeId AliasTracker::chain_again(NodeId view, NodeId base, NodeId before) {
  const std::vector<NodeId> chain = chain_of(view);
  for (auto each = chain.rbegin(); each != chain.rend(); ++each)
    base = view_again(*each, base, before);
  return base;
}

NodeId AliasTracker::view_again(NodeId view, NodeId base, NodeId before) {
  const Node& node = graph_.at(view);
  std::vector<Argument> args = node.args;
  args[0] = Argument(base);
  Node again;
  again.name = names_.unique(node.name);
  again.target = node.target;
  again.args = std::move(args);
  again.kwargs = node.kwargs;
  again.value = node.value;
  return graph_.insert(std::move(again), before);
}

NodeId AliasTracker::put_back(NodeId view, NodeId base, NodeId value, NodeId before) {
  const Node& node = graph_.at(view);
  const TensorMeta like = *graph_.at(base).value.tensor();
  const WritableView& row = *find_writable(node.target);
  if (node.target == "aten::alias.default") return value;
  if (!row.scatter.empty()) {
    std::vector<Argument> args = {Argument(base), Argument(value)};
    if (node.target == "aten::narrow.default") {
      const std::int64_t start = int_argument(node, 2);
      args.insert(args.end(),
                  {node.args.at(1), Argument(start), Argument(start + int_argument(node, 3))});
    } else {
      args.insert(args.end(), node.args.begin() + 1, node.args.end());
    }
    return add(before, std::string(row.scatter), std::move(args), like, node.kwargs);
  }
  if (node.target == "aten::permute.default")
    return add(before, node.target, {Argument(value), inverse_permutation(node)}, like);
  if (node.target == "aten::transpose.int" || node.target == "aten::t.default") {
    std::vector<Argument> args = node.args;
    args[0] = Argument(value);
    return add(before, node.target, std::move(args), like);
  }
  return add(before, "aten::view.default", {Argument(value), *sizes_argument(like)}, like);
}

NodeId AliasTracker::add(NodeId before,
                         std::string target,
                         std::vector<Argument> args,
                         const TensorMeta& like,
                         std::vector<NamedArgument> kwargs) {
  Node node;
  const std::size_t name = target.find("::") + 2;
  node.name = names_.unique(target.substr(name, target.find('.') - name));
  node.target = std::move(target);
  node.args = std::move(args);
  node.kwargs = std::move(kwargs);
  node.value.v = like;
  return graph_.insert(std::move(node), before);
}

void AliasTracker::return_mutations() {
  const NodeId output = graph_.last();
  Argument::List results;
  std::vector<OutputSpec> specs;
  for (const InputSpec& input : program_.inputs) {
    const auto root = roots_.find(input.node);
    if (root == roots_.end() || root->second.version == 0) continue;
    OutputSpec spec;
    const bool user = input.kind == InputKind::UserInput;
    if (input.kind == InputKind::Parameter) {
      spec.kind = OutputKind::ParameterMutation;
    } else {
      spec.kind = user ? OutputKind::UserInputMutation : OutputKind::BufferMutation;
    }
    spec.target = user ? graph_.at(input.node).name : input.target;
    specs.push_back(std::move(spec));
    results.emplace_back(root->second.value);
  }
  if (specs.empty()) return;
  std::vector<Argument> args = graph_.at(output).args;
  const Argument::List& old = *args.at(0).list();
  results.insert(results.end(), old.begin(), old.end());
  args[0] = Argument(std::move(results));
  graph_.set_arguments(output, std::move(args), {});
  program_.outputs.insert(program_.outputs.begin(), specs.begin(), specs.end());
}

}  // namespace ptec::edge
