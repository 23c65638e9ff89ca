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
  explicit DeviceState(Program& program) : program_(program), graph_(program.graph) {
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
  const Delegate& delegate_of(NodeId call) const {
    return program_.delegates.at(
        static_cast<std::size_t>(std::get<std::int64_t>(graph_.at(call).args.at(0).v)));
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
    const std::optional<std::int64_t> device = target_device(delegate_of(update.call));
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
    const std::vector<NodeId>& users = graph_.at(update.buffer).users;
    return std::all_of(users.begin(), users.end(), [&](NodeId user) {
      if (user == update.copy || user == update.call) return true;
      return graph_.at(user).target == kDelegateCall &&
             target_device(delegate_of(user)) == device && place_.at(user) < place_.at(update.call);
    });
  }

  /// The output is the buffer's own tensor from here on.
  void apply(const Update& update) {
    const SpecId spec = graph_.at(update.buffer).specs.at(0);
    program_.spec(spec).cuda_index = update.device;
    graph_.at(update.call).specs.at(update.output) = spec;
    for (const NodeId user : graph_.at(update.call).users) {
      const Node& getitem = graph_.at(user);
      if (std::get<std::int64_t>(getitem.args.at(1).v) == static_cast<std::int64_t>(update.output))
        graph_.at(user).specs = {spec};
    }
    std::vector<SpecId>& returned = graph_.at(graph_.last()).specs;
    std::replace(returned.begin(), returned.end(), graph_.at(update.copy).specs.at(0), spec);
  }

  Program& program_;
  Graph& graph_;
  std::map<NodeId, std::size_t> place_;  // in execution order
};

}  // namespace

DeviceStateStats keep_state_on_device(Program& program,
                                      const std::set<std::string, std::less<>>& updated_in_place) {
  return DeviceState(program).run(updated_in_place);
}

}  // namespace ptec::edge
