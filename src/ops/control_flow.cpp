#include "ops/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "ir/subgraphs.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

/// How the arguments of each kind stand: `p` predicate, `g` graph, `c` carried, `x` sliced, `s`
/// shared.
struct Row {
  std::string_view target;
  ControlFlowKind kind;
  std::string_view arguments;
};

constexpr Row kRows[] = {
    {"higher_order::cond", ControlFlowKind::Cond, "pggs"},
    {"higher_order::map_impl", ControlFlowKind::Map, "gxs"},
    {"higher_order::scan", ControlFlowKind::Scan, "gcxs"},
    {"higher_order::while_loop", ControlFlowKind::While, "ggcs"},
};

const Row* find_row(std::string_view target) {
  if (target.empty() || target.front() != 'h') return nullptr;  // all rows are of higher_order::
  const auto* found = std::find_if(
      std::begin(kRows), std::end(kRows), [&](const Row& row) { return row.target == target; });
  return found == std::end(kRows) ? nullptr : found;
}

const TensorMeta* tensor_of(const Graph& graph, const Argument& argument) {
  return argument.node() == nullptr ? nullptr : graph.at(*argument.node()).value.tensor();
}

bool is_tensor(const ValueItem& item) { return std::holds_alternative<TensorMeta>(item); }

/// A predicate ends a jump: a bool, or a tensor of one.
bool is_predicate(const Graph& graph, const Argument& argument) {
  if (argument.node() == nullptr) return std::holds_alternative<bool>(argument.v);
  const Value& value = graph.at(*argument.node()).value;
  if (const TensorMeta* tensor = value.tensor()) {
    return tensor->dtype == ScalarType::Bool &&
           std::all_of(tensor->sizes.begin(), tensor->sizes.end(), [](const Dim& size) {
             return size.is_number() && size.number() == 1;
           });
  }
  return value.scalar() != nullptr && value.scalar()->kind == ScalarKind::Bool;
}

std::string problem_with_operands(const Graph& graph, const ControlFlow& flow) {
  for (std::size_t i = 0; i < flow.operand_count(); ++i) {
    const Argument& operand = flow.operand(i);
    const bool shared = i >= flow.carried.size() + flow.sliced.size();
    if (operand.node() == nullptr)
      return fmt::format("operand {} is a literal, wanted a tensor", i);
    if (tensor_of(graph, operand) == nullptr &&
        !(shared && graph.at(*operand.node()).value.scalar() != nullptr)) {
      return fmt::format("operand {} ('{}') is no tensor", i, graph.at(*operand.node()).name);
    }
  }
  if (flow.predicate != nullptr && !is_predicate(graph, *flow.predicate))
    return "its predicate is not one bool";
  const bool slices = flow.kind == ControlFlowKind::Map || flow.kind == ControlFlowKind::Scan;
  if (slices && flow.sliced.empty()) return "it goes over no tensor, so nothing counts its turns";
  for (const Argument& sliced : flow.sliced) {
    if (tensor_of(graph, sliced)->sizes.empty())
      return fmt::format("it goes over '{}', which has no dimension",
                         graph.at(*sliced.node()).name);
  }
  return {};
}

/// Carried values are copied one after the other. Result `index` cannot be one that an earlier copy
/// has written over.
bool is_written_over(const ControlFlow& flow, const Graph& body, NodeId result, std::size_t index) {
  if (index >= flow.carried.size()) return false;
  const auto earlier = body.inputs.begin() + static_cast<std::ptrdiff_t>(index);
  return std::find(body.inputs.begin(), earlier, result) != earlier;
}

std::string problem_with_body(const ControlFlow& flow,
                              const Graph& body,
                              std::size_t result_count) {
  const Argument::List& results = results_of(body);
  if (results.size() != result_count) {
    return fmt::format("its graph returns {} values, wanted {}", results.size(), result_count);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (tensor_of(body, results[i]) == nullptr)
      return fmt::format("result {} of its graph is no tensor", i);
    if (is_written_over(flow, body, *results[i].node(), i)) {
      return fmt::format("its graph returns its input '{}' as result {}; return a clone() of it",
                         body.at(*results[i].node()).name,
                         i);
    }
  }
  return {};
}

std::string problem_with_graphs(const ControlFlow& flow, std::size_t result_count) {
  for (const Graph* graph : flow.graphs) {
    if (graph->inputs.size() != flow.operand_count()) {
      return fmt::format("its graph takes {} inputs, wanted {}, one an operand",
                         graph->inputs.size(),
                         flow.operand_count());
    }
    if (flow.kind == ControlFlowKind::While && graph == flow.graphs[0]) {
      const Argument::List& results = results_of(*graph);
      if (results.size() != 1 || !is_predicate(*graph, results[0]))
        return "its condition does not return one bool";
      continue;
    }
    const std::string problem = problem_with_body(flow, *graph, result_count);
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace

const Argument& ControlFlow::operand(std::size_t index) const {
  if (index < carried.size()) return carried[index];
  index -= carried.size();
  return index < sliced.size() ? sliced[index] : shared[index - sliced.size()];
}

bool is_control_flow(std::string_view target) { return find_row(target) != nullptr; }

std::optional<ControlFlow> find_control_flow(const Node& node) {
  const Row* row = find_row(node.target);
  if (row == nullptr || node.args.size() != row->arguments.size() || !node.kwargs.empty())
    return std::nullopt;
  ControlFlow flow;
  flow.kind = row->kind;
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    const Argument& argument = node.args[i];
    const char role = row->arguments[i];
    if (role == 'p') {
      flow.predicate = &argument;
    } else if (role == 'g') {
      const auto* graph = std::get_if<std::shared_ptr<Graph>>(&argument.v);
      if (graph == nullptr) return std::nullopt;
      flow.graphs.push_back(graph->get());
    } else {
      if (argument.list() == nullptr) return std::nullopt;
      (role == 'c' ? flow.carried : role == 'x' ? flow.sliced : flow.shared) = *argument.list();
    }
  }
  return flow;
}

const Argument::List& results_of(const Graph& graph) {
  return *graph.at(graph.last()).args.at(0).list();
}

std::string problem_with_control_flow(const Graph& graph, const Node& node) {
  const std::optional<ControlFlow> flow = find_control_flow(node);
  if (!flow) return "its arguments are not those of its kind";
  const std::vector<ValueItem>* results = node.value.list();
  if (results == nullptr || !std::all_of(results->begin(), results->end(), is_tensor))
    return "it returns something else than tensors";
  if (results->size() < flow->carried.size() ||
      (flow->kind == ControlFlowKind::While && results->size() != flow->carried.size())) {
    return fmt::format(
        "it carries {} values, but returns {}", flow->carried.size(), results->size());
  }
  std::string problem = problem_with_operands(graph, *flow);
  return problem.empty() ? problem_with_graphs(*flow, results->size()) : problem;
}

}  // namespace ptec::edge
