#include "partition/fuse.h"

#include <algorithm>
#include <set>
#include <utility>

#include "partition/sort.h"
#include "program/names.h"
#include "program/targets.h"

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
          NameTable& names) {
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
  for (std::size_t i = 0; i < taken.size(); ++i)
    graph.replace_all_uses(partition.outputs[i], taken[i]);
  for (auto node = partition.nodes.rbegin(); node != partition.nodes.rend(); ++node)
    graph.erase(*node);
}

void drop_unused_objects(Program& program) {
  std::set<std::string> still_used;
  std::vector<InputSpec> kept;
  for (InputSpec& input : program.inputs) {
    if (input.kind == InputKind::CustomObject && program.graph.at(input.node).users.empty()) {
      program.graph.erase(input.node);
    } else {
      if (input.kind == InputKind::CustomObject) still_used.insert(input.target);
      kept.push_back(std::move(input));
    }
  }
  program.inputs = std::move(kept);
  std::erase_if(program.objects,
                [&still_used](const auto& entry) { return !still_used.contains(entry.first); });
}

}  // namespace

std::size_t delegate_to(Program& program, const Backend& backend) {
  const std::vector<Partition> partitions = backend.find_partitions(program);
  NameTable names(program.graph);
  for (const Partition& partition : partitions) {
    program.delegates.push_back(backend.preprocess(program, partition));
    fuse(program, partition, program.delegates.size() - 1, names);
    drop_unused_objects(program);
    sort_after_fusing(program.graph);
  }
  return partitions.size();
}

}  // namespace ptec
