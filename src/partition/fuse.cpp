#include "partition/fuse.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "ir/names.h"
#include "ir/targets.h"
#include "partition/check.h"
#include "partition/sort.h"

namespace ptec {
namespace {

ValueItem item_of(const Value& value) {
  if (const TensorMeta* tensor = value.tensor()) return *tensor;
  if (const SymScalar* scalar = value.scalar()) return *scalar;
  return NoValue{};
}

/// The partition's last node that something outside uses; its last node when there is none.
NodeId last_used_outside(const Graph& graph, const Partition& partition) {
  const std::set<NodeId> inside(partition.nodes.begin(), partition.nodes.end());
  NodeId last = partition.nodes.back();
  for (const NodeId node : partition.nodes) {
    const std::vector<NodeId>& users = graph.at(node).users;
    if (std::any_of(
            users.begin(), users.end(), [&inside](NodeId user) { return !inside.contains(user); }))
      last = node;
  }
  return last;
}

void fuse(Program& program,
          const Partition& partition,
          std::size_t delegate_index,
          NameTable& names,
          std::map<NodeId, NodeId>& replaced) {
  Graph& graph = program.graph;
  const NodeId before = graph.at(last_used_outside(graph, partition)).next;

  Node call;
  call.name = names.unique("executorch_call_delegate");
  call.target = kDelegateCall;
  call.args.emplace_back(static_cast<std::int64_t>(delegate_index));
  for (const NodeId input : partition.inputs) call.args.emplace_back(input);
  std::vector<ValueItem> results;
  for (const NodeId output : partition.outputs) results.push_back(item_of(graph.at(output).value));
  call.value.v = std::move(results);
  const NodeId call_id = graph.insert(std::move(call), before);

  std::vector<NodeId> taken;
  for (std::size_t i = 0; i < partition.outputs.size(); ++i) {
    Node getitem;
    getitem.name = names.unique(graph.at(partition.outputs[i]).name);
    getitem.target = kGetItem;
    getitem.args = {Argument(call_id), Argument(static_cast<std::int64_t>(i))};
    getitem.value = graph.at(partition.outputs[i]).value;
    taken.push_back(graph.insert(std::move(getitem), before));
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    graph.replace_all_uses(partition.outputs[i], taken[i]);
    replaced.emplace(partition.outputs[i], taken[i]);
  }
  for (auto node = partition.nodes.rbegin(); node != partition.nodes.rend(); ++node)
    graph.erase(*node);
}

/// What only the fused nodes used: custom objects and the constants that went into the delegate.
void drop_unused_inputs(Program& program, const std::vector<NodeId>& constants) {
  const std::set<NodeId> taken(constants.begin(), constants.end());
  std::set<std::string, std::less<>> still_used;
  std::vector<std::string> dropped;
  std::vector<InputSpec> kept;
  for (InputSpec& input : program.inputs) {
    const bool may_leave = input.kind == InputKind::CustomObject || taken.contains(input.node);
    if (may_leave && program.graph.at(input.node).users.empty()) {
      program.graph.erase(input.node);
      dropped.push_back(std::move(input.target));
    } else {
      if (!input.target.empty()) still_used.insert(input.target);
      kept.push_back(std::move(input));
    }
  }
  program.inputs = std::move(kept);
  for (const std::string& target : dropped) {
    if (still_used.contains(target)) continue;
    program.objects.erase(target);
    program.tensors.erase(target);
  }
}

}  // namespace

std::vector<NamedRefusal> delegate_to(Program& program, const Partitioner& partitioner) {
  Partitioning found = partitioner.partition(program);
  check_partitions(program, partitioner, found.partitions);
  std::vector<NamedRefusal> refused;
  for (Refusal& refusal : found.refusals) {
    const Node& node = program.graph.at(refusal.node);
    refused.push_back({node.name, node.target, std::move(refusal.why)});
  }
  std::vector<Delegate> delegates;
  for (const Partition& partition : found.partitions) {
    delegates.push_back(partitioner.preprocess(program, partition));
  }

  NameTable names(program.graph);
  std::map<NodeId, NodeId> replaced;  // results of partitions that are calls by now
  for (std::size_t i = 0; i < found.partitions.size(); ++i) {
    Partition& partition = found.partitions[i];
    for (NodeId& input : partition.inputs) {
      if (const auto now = replaced.find(input); now != replaced.end()) input = now->second;
    }
    program.delegates.push_back(std::move(delegates[i]));
    fuse(program, partition, program.delegates.size() - 1, names, replaced);
    drop_unused_inputs(program, partition.constants);
    sort_after_fusing(program.graph);
  }
  return refused;
}

}  // namespace ptec
