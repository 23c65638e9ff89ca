#include "edge/engine_mutations.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/mutations.h"
#include "ir/names.h"
#include "ir/targets.h"
#include "support/error.h"
#include "tensorrt/engine_calls.h"

namespace ptec::edge {
namespace {

using tensorrt::EngineAlias;
using tensorrt::EngineCall;

class Declaration {
 public:
  explicit Declaration(Program& program)
      : program_(program), graph_(program.graph), names_(program.graph) {}

  EngineMutationStats run() {
    for (const EngineCall& call : tensorrt::find_engine_calls(program_)) {
      if (call.record.aliased_io.empty()) continue;
      const Breadcrumb here("node", graph_.at(call.node).name);
      const std::size_t traced = graph_.at(call.node).value.list()->size();
      complete_results(call);
      for (std::size_t i = 0; i < call.record.output_names.size(); ++i) {
        const EngineAlias* alias = call.record.find_alias(call.record.output_names[i]);
        if (alias == nullptr) continue;
        declare(call, *alias, i, i < traced);
        if (const NodeId result = find_result(call.node, i); result != kNoNode)
          updates_[result] = input_of(call, *alias);
      }
    }
    if (!problems_.empty()) throw Error(ErrorCode::Unsupported, std::move(problems_));
    EngineMutationStats stats;
    stats.declared = static_cast<int>(outputs_.size());
    if (stats.declared != 0) put_in_front();
    stats.updated_in_place = updated_in_place();
    return stats;
  }

 private:
  NodeId input_of(const EngineCall& call, const EngineAlias& alias) const {
    const std::vector<std::string>& names = call.record.input_names;
    const auto found = std::find(names.begin(), names.end(), alias.input);
    return call.inputs.at(static_cast<std::size_t>(found - names.begin()));
  }

  /// What the trace left out has type and shape of the input that it lies in.
  void complete_results(const EngineCall& call) {
    auto& results = std::get<std::vector<ValueItem>>(graph_.at(call.node).value.v);
    for (std::size_t i = results.size(); i < call.record.output_names.size(); ++i) {
      const EngineAlias* alias = call.record.find_alias(call.record.output_names[i]);
      PTEC_INVARIANT(alias != nullptr, "an engine's result is missing");
      results.emplace_back(*graph_.at(input_of(call, *alias)).value.tensor());
    }
  }

  void declare(const EngineCall& call, const EngineAlias& alias, std::size_t index, bool traced) {
    const NodeId target = input_of(call, alias);
    const InputSpec* input = program_.find_input(target);
    const bool known = input != nullptr &&
                       (input->kind == InputKind::Buffer || input->kind == InputKind::UserInput);
    if (!known) {
      // A computed value that only this call reads may be used up, when the trace has the result.
      if (!traced || input != nullptr || graph_.at(target).users.size() > 1) refuse(alias, target);
      return;
    }
    OutputSpec mutation;
    mutation.kind = input->kind == InputKind::Buffer ? OutputKind::BufferMutation
                                                     : OutputKind::UserInputMutation;
    mutation.target = input->kind == InputKind::Buffer ? input->target : graph_.at(target).name;
    if (is_new(mutation)) {
      results_.emplace_back(result_of(call.node, index));
      outputs_.push_back(std::move(mutation));
    } else if (!traced) {
      problems_.push_back(Breadcrumb::trail() +
                          fmt::format("output '{}' updates '{}' in place, which something else "
                                      "updates too; give each engine a buffer of its own",
                                      alias.output,
                                      mutation.target));
    }
  }

  bool is_new(const OutputSpec& mutation) const {
    const auto same = [&mutation](const OutputSpec& output) {
      return output.kind == mutation.kind && output.target == mutation.target;
    };
    return std::none_of(program_.outputs.begin(), program_.outputs.end(), same) &&
           std::none_of(outputs_.begin(), outputs_.end(), same);
  }

  NodeId find_result(NodeId call, std::size_t index) const {
    for (const NodeId user : graph_.at(call).users) {
      const Node& getitem = graph_.at(user);
      if (getitem.target == kGetItem &&
          std::get<std::int64_t>(getitem.args.at(1).v) == static_cast<std::int64_t>(index))
        return user;
    }
    return kNoNode;
  }

  NodeId result_of(NodeId call, std::size_t index) {
    if (const NodeId found = find_result(call, index); found != kNoNode) return found;
    Node getitem;
    getitem.name = names_.unique("getitem");
    getitem.target = kGetItem;
    getitem.args = {Argument(call), Argument(static_cast<std::int64_t>(index))};
    getitem.value.v = std::get<TensorMeta>((*graph_.at(call).value.list())[index]);
    return graph_.insert(std::move(getitem), after_results(call));
  }

  /// Behind the call's results, so that they stay in the engine's order.
  NodeId after_results(NodeId call) const {
    NodeId at = graph_.at(call).next;
    while (graph_.at(at).target == kGetItem && graph_.at(at).args.at(0).node() != nullptr &&
           *graph_.at(at).args.at(0).node() == call) {
      at = graph_.at(at).next;
    }
    return at;
  }

  void refuse(const EngineAlias& alias, NodeId target) {
    problems_.push_back(
        Breadcrumb::trail() +
        fmt::format("output '{}' updates '{}' in place (input binding '{}'), which is neither a "
                    "buffer nor an input of the program, nor a value of no further use; register "
                    "it as a buffer",
                    alias.output,
                    graph_.at(target).name,
                    alias.input));
  }

  void put_in_front() {
    const Argument::List& old = *graph_.at(graph_.last()).args.at(0).list();
    results_.insert(results_.end(), old.begin(), old.end());
    outputs_.insert(outputs_.end(), program_.outputs.begin(), program_.outputs.end());
    program_.outputs = std::move(outputs_);
    graph_.set_arguments(graph_.last(), {Argument(std::move(results_))}, {});
  }

  /// Buffers whose new value, by the signature, is an output that lies in their own memory.
  std::set<std::string, std::less<>> updated_in_place() const {
    std::set<std::string, std::less<>> found;
    const Argument::List& results = *graph_.at(graph_.last()).args.at(0).list();
    for (std::size_t i = 0; i < results.size(); ++i) {
      const OutputSpec& output = program_.outputs[i];
      if (output.kind != OutputKind::BufferMutation || results[i].node() == nullptr) continue;
      const auto update = updates_.find(*results[i].node());
      if (update != updates_.end() && update->second == find_mutated_input(program_, output))
        found.insert(output.target);
    }
    return found;
  }

  Program& program_;
  Graph& graph_;
  NameTable names_;
  Argument::List results_;           // of the new mutations
  std::vector<OutputSpec> outputs_;  // likewise
  std::vector<std::string> problems_;
  std::map<NodeId, NodeId> updates_;  // a result, and the input in whose memory it lies
};

}  // namespace

EngineMutationStats declare_engine_mutations(Program& program) {
  return Declaration(program).run();
}

}  // namespace ptec::edge
