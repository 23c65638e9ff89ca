#include "exec/device_state.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "exec/devices.h"
#include "exec/write_back.h"
#include "ir/mutations.h"
#include "ir/targets.h"

namespace ptec::edge {
namespace {

/// A buffer, the delegate call that updates it in place, and which of the call's outputs that is.
struct Update {
  NodeId buffer = kNoNode;
  NodeId call = kNoNode;
  std::size_t output = 0;
  NodeId copy = kNoNode;  // the write-back that is not needed
  std::int64_t device = 0;
};

class DeviceState {
 public:
  explicit DeviceState(ExecProgram& exec)
      : exec_(exec), program_(exec.program), graph_(exec.program.graph) {
    std::size_t place = 0;
    for (const NodeId id : graph_.order()) place_[id] = place++;
  }

  DeviceStateStats run(const std::set<std::string, std::less<>>& updated_in_place) {
    DeviceStateStats stats;
    Argument::List results = *graph_.at(graph_.last()).args.at(0).list();
    for (std::size_t i = 0; i < results.size(); ++i) {
      const OutputSpec& output = program_.outputs[i];
      if (output.kind != OutputKind::BufferMutation || !updated_in_place.contains(output.target))
        continue;
      const std::optional<Update> update =
          find_update(find_mutated_input(program_, output), results[i].node());
      if (!update) continue;
      apply(*update);
      results[i] = update->buffer;
      graph_.set_arguments(graph_.last(), {Argument(results)}, {});
      graph_.erase(update->copy);
      ++stats.buffers;
    }
    return stats;
  }

 private:
  std::optional<std::int64_t> device_of(NodeId call) const {
    return target_device(delegate_of(exec_.delegates, graph_.at(call)));
  }

  /// The update, when the buffer can stay on the device.
  std::optional<Update> find_update(NodeId buffer, const NodeId* result) const {
    if (result == nullptr || graph_.at(*result).target != kCopyInPlace) return std::nullopt;
    Update update;
    update.buffer = buffer;
    update.copy = *result;
    const NodeId value = *graph_.at(update.copy).args.at(1).node();
    if (graph_.at(value).target != kGetItem) return std::nullopt;
    update.call = *graph_.at(value).args.at(0).node();
    update.output = static_cast<std::size_t>(std::get<std::int64_t>(graph_.at(value).args.at(1).v));
    if (graph_.at(update.call).target != kDelegateCall || !is_one_input(update))
      return std::nullopt;
    const std::optional<std::int64_t> device = device_of(update.call);
    if (!device || !only_delegates_read(update, *device)) return std::nullopt;
    update.device = *device;
    return update;
  }

  /// What goes in twice would change under the other input.
  bool is_one_input(const Update& update) const {
    const std::vector<Argument>& args = graph_.at(update.call).args;
    return std::count_if(args.begin(), args.end(), [&update](const Argument& argument) {
             return argument.node() != nullptr && *argument.node() == update.buffer;
           }) == 1;
  }

  bool only_delegates_read(const Update& update, std::int64_t device) const {
    const std::vector<NodeId>& users = graph_.at(update.buffer).users();
    return std::all_of(users.begin(), users.end(), [&](NodeId user) {
      if (user == update.copy || user == update.call) return true;
      return graph_.at(user).target == kDelegateCall && device_of(user) == device &&
             place_.at(user) < place_.at(update.call);
    });
  }

  /// The output is the buffer's own tensor from here on.
  void apply(const Update& update) {
    const SpecId spec = exec_.specs_of(graph_, update.buffer).at(0);
    exec_.spec(spec).cuda_index = update.device;
    std::vector<SpecId> given = exec_.specs_of(graph_, update.call);
    given.at(update.output) = spec;
    exec_.set_specs(graph_, update.call, std::move(given));
    for (const NodeId user : graph_.at(update.call).users()) {
      const Node& getitem = graph_.at(user);
      if (std::get<std::int64_t>(getitem.args.at(1).v) == static_cast<std::int64_t>(update.output))
        exec_.set_specs(graph_, user, {spec});
    }
    std::vector<SpecId> returned = exec_.specs_of(graph_, graph_.last());
    std::replace(returned.begin(), returned.end(), exec_.specs_of(graph_, update.copy).at(0), spec);
    exec_.set_specs(graph_, graph_.last(), std::move(returned));
  }

  ExecProgram& exec_;
  Program& program_;
  Graph& graph_;
  std::map<NodeId, std::size_t> place_;  // in execution order
};

}  // namespace

DeviceStateStats keep_state_on_device(ExecProgram& exec,
                                      const std::set<std::string, std::less<>>& updated_in_place) {
  return DeviceState(exec).run(updated_in_place);
}

}  // namespace ptec::edge
