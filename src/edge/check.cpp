#include "edge/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "edge/asserts.h"
#include "ir/mutations.h"
#include "ir/subgraphs.h"
#include "ir/targets.h"
#include "ops/control_flow.h"
#include "ops/missing_kernels.h"
#include "ops/ops.h"
#include "support/problems.h"
#include "tensorrt/engine_calls.h"

namespace ptec::edge {
namespace {

// Keyword arguments of factories and casts that the out tensor carries; an out form need not have
// them.
constexpr std::string_view kCarriedByOut[] = {
    "device", "dtype", "layout", "memory_format", "pin_memory"};

bool has_graph(const Node& node) {
  bool found = false;
  for_each_subgraph_id(node, [&found](GraphId) { found = true; });
  return found;
}

std::string_view type_name(ArgumentType type) {
  switch (type) {
    case ArgumentType::Tensor:
      return "a tensor";
    case ArgumentType::Scalar:
      return "a number";
    case ArgumentType::Int:
      return "an int";
    case ArgumentType::Double:
      return "a float";
    case ArgumentType::Bool:
      return "a bool";
    case ArgumentType::String:
      return "a text";
    case ArgumentType::ScalarType:
      return "an element type";
    case ArgumentType::MemoryFormat:
      return "a memory format";
  }
  return "";
}

bool is_number(const Argument& value) {
  return std::holds_alternative<std::int64_t>(value.v) || std::holds_alternative<bool>(value.v) ||
         std::holds_alternative<double>(value.v);
}

/// Whether one value, no list, can stand for an argument of that type. A kernel that meets another
/// kind ends the process.
bool item_fits(const Graph& graph, const Argument& value, ArgumentType type) {
  if (const NodeId* node = value.node()) {
    const Value& result = graph.at(*node).value;
    if (type == ArgumentType::Tensor) return result.tensor() != nullptr;
    return result.scalar() != nullptr &&
           (type == ArgumentType::Scalar || type == ArgumentType::Int ||
            type == ArgumentType::Double || type == ArgumentType::Bool);
  }
  switch (type) {
    case ArgumentType::Tensor:
      return false;
    case ArgumentType::Scalar:
    case ArgumentType::Double:
      return is_number(value);
    case ArgumentType::Int:
    case ArgumentType::Bool:
      return std::holds_alternative<std::int64_t>(value.v) || std::holds_alternative<bool>(value.v);
    case ArgumentType::String:
      return std::holds_alternative<std::string>(value.v);
    case ArgumentType::ScalarType:
      return std::holds_alternative<ScalarType>(value.v);
    case ArgumentType::MemoryFormat:
      return std::holds_alternative<MemoryFormatCode>(value.v);
  }
  return false;
}

bool fits(const Graph& graph, const Argument& value, const ArgumentSchema& wanted) {
  if (value.is_none())
    return wanted.optional || (wanted.type == ArgumentType::Tensor && !wanted.list);
  const Argument::List* list = value.list();
  if (!wanted.list) return list == nullptr && item_fits(graph, value, wanted.type);
  if (list == nullptr)
    return wanted.type == ArgumentType::Int && item_fits(graph, value, wanted.type);
  return std::all_of(list->begin(), list->end(), [&](const Argument& item) {
    return item.is_none() ? wanted.optional_items : item_fits(graph, item, wanted.type);
  });
}

/// Of the call that is open.
Problem bad_arguments(const std::string& reason) {
  return problem_here(ProblemId::OperatorArguments, reason);
}

std::optional<Problem> problem_with_kinds(const Graph& graph,
                                          const Node& node,
                                          const OpSchema& schema) {
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    const ArgumentSchema& wanted = schema.arguments[i];
    const Argument* given = i < node.args.size() ? &node.args[i] : nullptr;
    for (const NamedArgument& named : node.kwargs) {
      if (named.name == wanted.name) given = &named.value;
    }
    if (given == nullptr || fits(graph, *given, wanted)) continue;
    if (wanted.type == ArgumentType::Tensor && is_number(*given)) {
      return bad_arguments(fmt::format(
          "{} has a number as '{}', where its kernel wants a tensor", node.target, wanted.name));
    }
    return bad_arguments(fmt::format("{} has something else than {}{} as '{}'",
                                     node.target,
                                     wanted.list ? "a list of which each is " : "",
                                     type_name(wanted.type),
                                     wanted.name));
  }
  return std::nullopt;
}

std::optional<Problem> problem_with_arguments(const Graph& graph,
                                              const Node& node,
                                              const OpSchema& schema) {
  const auto positional = static_cast<std::size_t>(
      std::count_if(schema.arguments.begin(), schema.arguments.end(), [](const ArgumentSchema& a) {
        return !a.keyword_only;
      }));
  if (node.args.size() > positional) {
    return bad_arguments(fmt::format(
        "{} takes {} positional arguments, found {}", node.target, positional, node.args.size()));
  }
  for (const NamedArgument& argument : node.kwargs) {
    if (schema.find_argument(argument.name)) continue;
    if (std::find(std::begin(kCarriedByOut), std::end(kCarriedByOut), argument.name) ==
        std::end(kCarriedByOut)) {
      return bad_arguments(fmt::format("{} has no argument '{}'", node.target, argument.name));
    }
  }
  for (std::size_t i = node.args.size(); i < schema.arguments.size(); ++i) {
    const ArgumentSchema& wanted = schema.arguments[i];
    const bool given =
        std::any_of(node.kwargs.begin(), node.kwargs.end(), [&wanted](const NamedArgument& a) {
          return a.name == wanted.name;
        });
    if (!given && !wanted.default_value)
      return bad_arguments(fmt::format("{} misses its argument '{}'", node.target, wanted.name));
  }
  return problem_with_kinds(graph, node, schema);
}

Problem no_out_form(const Node& node) {
  if (writes_in_place(node.target))
    return problem_here(ProblemId::OperatorInPlace, node.target + " writes in place");
  return problem_here(ProblemId::OperatorUnknown,
                      node.target + " has no out form that ExecuTorch's kernels provide");
}

std::optional<Problem> problem_with(const Program& program, const Graph& graph, const Node& node) {
  if (node.target == kGetItem || node.target == kConstant || node.target == kDelegateCall ||
      tensorrt::is_engine_call(node))
    return std::nullopt;
  if (is_control_flow(node.target)) {
    const std::string problem = problem_with_control_flow(program, graph, node);
    if (problem.empty()) return std::nullopt;
    return problem_here(ProblemId::ControlFlowCall, node.target + ": " + problem);
  }
  if (has_graph(node)) {
    return problem_here(ProblemId::ControlFlowKind,
                        node.target + " is control flow of a kind that cannot be lowered");
  }
  const OpSchema* schema = find_op(node.target);
  if (schema == nullptr) return no_out_form(node);
  std::optional<Problem> problem = problem_with_arguments(graph, node, *schema);
  const std::vector<ValueItem>* list = node.value.list();
  if (!problem && !schema->list_out && !schema->scalar_result && !schema->writes_self &&
      (list == nullptr ? 1 : list->size()) != schema->outs.size()) {
    problem = problem_here(ProblemId::OperatorResults,
                           fmt::format("{} has {} results, found {}",
                                       node.target,
                                       schema->outs.size(),
                                       list == nullptr ? 1 : list->size()));
  }
  return problem;
}

/// What only asserts use is removed with them before anything is emitted.
std::vector<bool> needed_nodes(const Graph& graph) {
  std::vector<bool> needed(graph.id_bound(), false);
  const std::vector<NodeId> order = graph.order();
  for (auto id = order.rbegin(); id != order.rend(); ++id) {
    const Node& node = graph.at(*id);
    if (is_assert(node.target)) continue;
    const bool used = std::any_of(node.users().begin(), node.users().end(), [&needed](NodeId user) {
      return needed[static_cast<std::size_t>(user)];
    });
    needed[static_cast<std::size_t>(*id)] =
        used || node.users().empty() || node.kind != NodeKind::Call;
  }
  return needed;
}

/// What keeps a mutation from being written back, if anything does.
std::optional<Problem> problem_with_mutation(const Program& program,
                                             const OutputSpec& output,
                                             const Argument& result) {
  if (output.kind == OutputKind::Token)
    return problem_here(ProblemId::EffectToken, "the program returns an effect token");
  if (output.kind == OutputKind::ParameterMutation) {
    return problem_here(ProblemId::ParameterMutated,
                        fmt::format("the program mutates parameter '{}'", output.target));
  }
  if (!is_mutation(output.kind)) {
    return problem_here(ProblemId::GradientReturned,
                        fmt::format("the program returns a loss or gradient for '{}', which this "
                                    "version does not export yet",
                                    output.target));
  }
  const NodeId target = find_mutated_input(program, output);
  const TensorMeta* before = target == kNoNode ? nullptr : program.graph.at(target).value.tensor();
  const TensorMeta* after =
      result.node() == nullptr ? nullptr : program.graph.at(*result.node()).value.tensor();
  if (before == nullptr || after == nullptr) {
    return problem_here(ProblemId::MutationValue,
                        fmt::format("the program mutates '{}', but {} is no tensor",
                                    output.target,
                                    before == nullptr ? "what it names" : "the new value"));
  }
  if (before->dtype != after->dtype || before->sizes.size() != after->sizes.size()) {
    return problem_here(
        ProblemId::MutationValue,
        fmt::format("the new value of '{}' is {} of rank {}, wanted {} of rank {} as before",
                    output.target,
                    info(after->dtype).name,
                    after->sizes.size(),
                    info(before->dtype).name,
                    before->sizes.size()));
  }
  return std::nullopt;
}

void check_graph(const Program& program, const Graph& graph, Problems& problems) {
  const std::vector<bool> needed = needed_nodes(graph);
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
    const Node& node = graph.at(id);
    if (node.kind != NodeKind::Call || !needed[static_cast<std::size_t>(id)]) continue;
    const Breadcrumb here = Breadcrumb::of_node(node.name, node.target);
    if (graph.id() != kMethodGraph && tensorrt::is_engine_call(node)) {
      problems.add(ProblemId::EngineInControlFlow,
                   "an engine is called inside control flow, where it cannot be delegated");
    } else if (std::optional<Problem> problem = problem_with(program, graph, node)) {
      problems.add(std::move(*problem));
    }
    for_each_subgraph(
        program, node, [&](const Graph& inner) { check_graph(program, inner, problems); });
  }
}

void check_signature(const Program& program, Problems& problems) {
  const Argument::List& results = *program.graph.at(program.graph.last()).args.at(0).list();
  for (std::size_t i = 0; i < program.outputs.size(); ++i) {
    if (program.outputs[i].kind == OutputKind::UserOutput) continue;
    if (std::optional<Problem> problem =
            problem_with_mutation(program, program.outputs[i], results[i]))
      problems.add(std::move(*problem));
  }
  for (const InputSpec& input : program.inputs) {
    if (input.kind == InputKind::Token)
      problems.add(ProblemId::EffectToken,
                   fmt::format("input '{}' is an effect token", input.name));
  }
}

}  // namespace

void check_exportable(const Program& program, const CheckOptions& options) {
  Problems problems;
  check_graph(program, program.graph, problems);
  if (options.require_kernels) {
    const std::vector<MissingKernel> missing = find_missing_kernels(program);
    if (!missing.empty()) {
      problems.add(
          ProblemId::KernelMissing,
          "the stock ExecuTorch runtime has no kernel for " + missing_kernels_text(missing));
    }
  }
  check_signature(program, problems);
  problems.throw_if_any();
}

}  // namespace ptec::edge
