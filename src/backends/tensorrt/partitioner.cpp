#include "backends/tensorrt/partitioner.h"

#include <algorithm>
#include <string>

#include "ir/names.h"
#include "ir/targets.h"
#include "partition/external_inputs.h"
#include "support/bytes.h"
#include "support/error.h"
#include "tensorrt/engine_blob.h"
#include "tensorrt/engine_calls.h"

namespace ptec::backends {
namespace {

constexpr std::string_view kTargetDevice = "target_device";

CompileSpec text_spec(std::string_view key, std::string_view value) {
  const Bytes bytes = as_bytes(value);
  return {std::string(key), std::vector<std::byte>(bytes.begin(), bytes.end())};
}

/// The getitem for every result of the call, in result order. Results that nothing takes get a node
/// of their own, so that the delegate's outputs are all of the engine's.
std::vector<NodeId> results_of(Program& program, NodeId call, NameTable& names) {
  Graph& graph = program.graph;
  const std::vector<ValueItem> items = *graph.at(call).value.list();
  std::vector<NodeId> taken(items.size(), kNoNode);
  for (const NodeId user : graph.at(call).users) {
    const Node& getitem = graph.at(user);
    PTEC_INVARIANT(getitem.target == kGetItem,
                   "'" + getitem.name + "' uses an engine call but is no getitem");
    taken[static_cast<std::size_t>(std::get<std::int64_t>(getitem.args[1].v))] = user;
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    if (taken[i] != kNoNode) continue;
    Node getitem;
    getitem.name = names.unique(graph.at(call).name + "_unused");
    getitem.target = kGetItem;
    getitem.args = {Argument(call), Argument(static_cast<std::int64_t>(i))};
    if (const TensorMeta* tensor = std::get_if<TensorMeta>(&items[i])) getitem.value.v = *tensor;
    taken[i] = graph.insert(std::move(getitem), graph.at(call).next);
  }
  return taken;
}

/// Delegate arguments: distinct values in the reference's order; a value that feeds two bindings is
/// passed twice, since the runtime takes one argument a binding.
std::vector<NodeId> arguments_of(const Program& program, const tensorrt::EngineCall& call) {
  std::vector<NodeId> arguments;
  for (const NodeId value : external_inputs(program, {call.node})) {
    arguments.insert(
        arguments.end(),
        static_cast<std::size_t>(std::count(call.inputs.begin(), call.inputs.end(), value)),
        value);
  }
  return arguments;
}

/// Names of the input bindings in the order of `arguments`: node identity counts, never a name.
std::vector<std::string> names_in_order(const Node& call,
                                        const tensorrt::EngineRecord& record,
                                        const std::vector<NodeId>& arguments) {
  const Argument::List& inputs = *call.args[0].list();
  std::vector<bool> used(inputs.size(), false);
  std::vector<std::string> names;
  for (const NodeId argument : arguments) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (used[i] || *inputs[i].node() != argument) continue;
      used[i] = true;
      names.push_back(record.input_names[i]);
      break;
    }
  }
  PTEC_INVARIANT(names.size() == record.input_names.size(),
                 "an engine's input got lost while its call was fused");
  return names;
}

}  // namespace

TensorRtPartitioner::TensorRtPartitioner(std::vector<CompileSpec> compile_specs)
    : compile_specs_(std::move(compile_specs)) {}

Partitioning TensorRtPartitioner::partition(Program& program) const {
  std::vector<tensorrt::EngineCall> calls = tensorrt::find_engine_calls(program);
  NameTable names(program.graph);
  Partitioning out;
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    Partition partition;
    partition.inputs = arguments_of(program, *call);
    partition.outputs = results_of(program, call->node, names);
    partition.nodes.push_back(call->node);
    const std::vector<NodeId>& users = program.graph.at(call->node).users;
    for (NodeId id = program.graph.at(call->node).next; partition.nodes.size() <= users.size();
         id = program.graph.at(id).next) {
      if (std::find(users.begin(), users.end(), id) != users.end()) partition.nodes.push_back(id);
    }
    out.partitions.push_back(std::move(partition));
  }
  return out;
}

Delegate TensorRtPartitioner::preprocess(const Program& program, const Partition& partition) const {
  const Node& call = program.graph.at(partition.nodes.front());
  const Breadcrumb here("node", call.name);
  const tensorrt::EngineRecord record = tensorrt::record_of(program, call);
  Delegate delegate;
  delegate.backend_id = backend_id();
  delegate.name = call.name;
  delegate.compile_specs = compile_specs_;
  const bool given = std::any_of(compile_specs_.begin(),
                                 compile_specs_.end(),
                                 [](const CompileSpec& spec) { return spec.key == kTargetDevice; });
  if (!given) {
    delegate.compile_specs.push_back(
        text_spec(kTargetDevice, "cuda:" + std::to_string(record.device.id)));
  }
  delegate.blob =
      tensorrt::make_engine_blob(record, names_in_order(call, record, partition.inputs));
  return delegate;
}

}  // namespace ptec::backends
