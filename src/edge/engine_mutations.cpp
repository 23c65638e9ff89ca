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

/// One engine call with what it returns.
struct Call {
  explicit Call(const EngineCall& of) : engine(of), aliases(of.record.aliases_by_output()) {}

  NodeId input_of(const EngineAlias& alias) const { return engine.inputs.at(alias.input); }

  const EngineCall& engine;
  std::vector<const EngineAlias*> aliases;  // one an output, null without alias
  std::vector<NodeId> results;              // the first getitem of each output, or kNoNode
  std::size_t traced = 0;                   // results that the trace has
  NodeId behind = kNoNode;                  // the node behind its results
};

class Declaration {
 public:
  explicit Declaration(Program& program)
      : program_(program), graph_(program.graph), names_(program.graph) {
    for (std::size_t i = 0; i < program.inputs.size(); ++i)
      inputs_.emplace(program.inputs[i].node, i);
    for (const OutputSpec& output : program.outputs) declared_.emplace(output.kind, output.target);
  }

  EngineMutationStats run() {
    for (const EngineCall& engine : tensorrt::find_engine_calls(program_)) {
      if (engine.record.aliased_io.empty()) continue;
      const Breadcrumb here("node", graph_.at(engine.node).name);
      Call call(engine);
      complete_results(call);
      find_results(call);
      for (std::size_t i = 0; i < call.aliases.size(); ++i) {
        if (call.aliases[i] == nullptr) continue;
        declare(call, *call.aliases[i], i);
        if (call.results[i] != kNoNode) updates_[call.results[i]] = call.input_of(*call.aliases[i]);
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
  /// What the trace left out has type and shape of the input that it lies in.
  void complete_results(Call& call) {
    auto& results = std::get<std::vector<ValueItem>>(graph_.at(call.engine.node).value.v);
    call.traced = results.size();
    for (std::size_t i = results.size(); i < call.aliases.size(); ++i) {
      PTEC_INVARIANT(call.aliases[i] != nullptr, "an engine's result is missing");
      results.emplace_back(*graph_.at(call.input_of(*call.aliases[i])).value.tensor());
    }
  }

  /// New results go behind those that there are, so that they stay in the engine's order.
  void find_results(Call& call) const {
    call.results.assign(call.aliases.size(), kNoNode);
    for (const NodeId user : graph_.at(call.engine.node).users()) {
      const Node& getitem = graph_.at(user);
      if (getitem.target != kGetItem) continue;
      const auto index = static_cast<std::size_t>(std::get<std::int64_t>(getitem.args.at(1).v));
      if (call.results.at(index) == kNoNode) call.results[index] = user;
    }
    call.behind = graph_.at(call.engine.node).next();
    while (graph_.at(call.behind).target == kGetItem &&
           graph_.at(call.behind).args.at(0).node() != nullptr &&
           *graph_.at(call.behind).args.at(0).node() == call.engine.node) {
      call.behind = graph_.at(call.behind).next();
    }
  }

  const InputSpec* find_input(NodeId node) const {
    const auto found = inputs_.find(node);
    return found == inputs_.end() ? nullptr : &program_.inputs[found->second];
  }

  void declare(Call& call, const EngineAlias& alias, std::size_t index) {
    const bool traced = index < call.traced;
    const NodeId target = call.input_of(alias);
    const InputSpec* input = find_input(target);
    const bool known = input != nullptr &&
                       (input->kind == InputKind::Buffer || input->kind == InputKind::UserInput);
    if (!known) {
      // A computed value that only this call reads may be used up, when the trace has the result.
      if (!traced || input != nullptr || graph_.at(target).users().size() > 1)
        refuse(call.engine.record, alias, target);
      return;
    }
    OutputSpec mutation;
    mutation.kind = input->kind == InputKind::Buffer ? OutputKind::BufferMutation
                                                     : OutputKind::UserInputMutation;
    mutation.target = input->kind == InputKind::Buffer ? input->target : graph_.at(target).name;
    if (declared_.emplace(mutation.kind, mutation.target).second) {
      if (call.results[index] == kNoNode) call.results[index] = add_result(call, index);
      results_.emplace_back(call.results[index]);
      outputs_.push_back(std::move(mutation));
    } else if (!traced) {
      problems_.push_back(Breadcrumb::trail() +
                          fmt::format("output '{}' updates '{}' in place, which something else "
                                      "updates too; give each engine a buffer of its own",
                                      call.engine.record.output_names[alias.output],
                                      mutation.target));
    }
  }

  NodeId add_result(const Call& call, std::size_t index) {
    const NodeId id = call.engine.node;
    Node getitem;
    getitem.name = names_.unique("getitem");
    getitem.target = kGetItem;
    getitem.args = {Argument(id), Argument(static_cast<std::int64_t>(index))};
    getitem.value.v = std::get<TensorMeta>((*graph_.at(id).value.list())[index]);
    return graph_.insert(std::move(getitem), call.behind);
  }

  void refuse(const tensorrt::EngineRecord& record, const EngineAlias& alias, NodeId target) {
    problems_.push_back(
        Breadcrumb::trail() +
        fmt::format("output '{}' updates '{}' in place (input binding '{}'), which is neither a "
                    "buffer nor an input of the program, nor a value of no further use; register "
                    "it as a buffer",
                    record.output_names[alias.output],
                    graph_.at(target).name,
                    record.input_names[alias.input]));
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
  std::map<NodeId, std::size_t> inputs_;                   // indices in the signature
  std::set<std::pair<OutputKind, std::string>> declared_;  // kind and target of every output
  Argument::List results_;                                 // of the new mutations
  std::vector<OutputSpec> outputs_;                        // likewise
  std::vector<std::string> problems_;
  std::map<NodeId, NodeId> updates_;  // a result, and the input in whose memory it lies
};

}  // namespace

EngineMutationStats declare_engine_mutations(Program& program) {
  return Declaration(program).run();
}

}  // namespace ptec::edge
