#include "exec/devices.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "ir/names.h"
#include "ir/targets.h"
#include "support/bytes.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

class Placement {
 public:
  explicit Placement(Program& program)
      : program_(program), graph_(program.graph), names_(program.graph) {}

  DeviceStats run() {
    if (program_.delegates.empty()) return stats_;
    const std::vector<NodeId> order = graph_.order();
    for (const NodeId id : order) {
      if (const auto device = device_of_call(id)) move_to_device(id, *device);
    }
    for (const NodeId id : order) {
      const Node& node = graph_.at(id);
      if (node.target != kGetItem) continue;
      if (device_of_call(*node.args[0].node())) bring_back(id);
    }
    remove_round_trips();
    return stats_;
  }

 private:
  std::optional<std::int64_t> device_of_call(NodeId id) const {
    const Node& node = graph_.at(id);
    if (node.kind != NodeKind::Call || node.target != kDelegateCall) return std::nullopt;
    return target_device(
        program_.delegates.at(static_cast<std::size_t>(std::get<std::int64_t>(node.args[0].v))));
  }

  NodeId insert_copy(std::string_view target,
                     NodeId source,
                     NodeId before,
                     std::optional<std::int64_t> device) {
    Node copy;
    copy.name = names_.unique(target == kHostToDevice ? "_h2d_copy" : "_d2h_copy");
    copy.target = target;
    copy.args = {Argument(source)};
    copy.value = graph_.at(source).value;
    TensorSpec spec = program_.spec(graph_.at(source).specs.at(0));
    spec.cuda_index = device;
    spec.constant = false;
    spec.constant_fqn.clear();
    copy.specs = {program_.add_spec(std::move(spec))};
    return graph_.insert(std::move(copy), before);
  }

  void move_to_device(NodeId call, std::int64_t device) {
    std::vector<Argument> args = graph_.at(call).args;
    for (std::size_t i = 1; i < args.size(); ++i) {
      const NodeId* source = args[i].node();
      if (source == nullptr || graph_.at(*source).value.tensor() == nullptr) continue;
      // A result of another call is copied back first, and goes the short way at the end.
      if (graph_.at(*source).kind == NodeKind::Placeholder &&
          program_.spec(graph_.at(*source).specs.at(0)).cuda_index == device)
        continue;
      args[i] = insert_copy(kHostToDevice, *source, call, device);
      ++stats_.host_to_device;
    }
    graph_.set_arguments(call, std::move(args), {});
    for (const SpecId spec : graph_.at(call).specs) {
      if (spec != kNoSpec) program_.spec(spec).cuda_index = device;
    }
  }

  void bring_back(NodeId getitem) {
    const NodeId copy = insert_copy(kDeviceToHost, getitem, graph_.at(getitem).next, std::nullopt);
    graph_.replace_all_uses(getitem, copy, copy);
    ++stats_.device_to_host;
  }

  void remove_round_trips() {
    const std::vector<NodeId> order = graph_.order();
    for (const NodeId id : order) {
      if (graph_.at(id).target != kHostToDevice) continue;
      const NodeId host = *graph_.at(id).args[0].node();
      if (graph_.at(host).target != kDeviceToHost) continue;
      const NodeId device = *graph_.at(host).args[0].node();
      if (program_.spec(graph_.at(device).specs.at(0)).cuda_index !=
          program_.spec(graph_.at(id).specs.at(0)).cuda_index) {
        continue;
      }
      graph_.replace_all_uses(id, device);
      graph_.erase(id);
      ++stats_.round_trips_removed;
    }
    for (const NodeId id : order) {
      if (!graph_.at(id).erased && graph_.at(id).target == kDeviceToHost &&
          graph_.at(id).users.empty())
        graph_.erase(id);
    }
  }

  Program& program_;
  Graph& graph_;
  NameTable names_;
  DeviceStats stats_;
};

}  // namespace

std::optional<std::int64_t> target_device(const Delegate& delegate) {
  for (const CompileSpec& spec : delegate.compile_specs) {
    if (spec.key != "target_device") continue;
    std::string text(as_text(spec.value));
    for (char& letter : text) {
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    const std::size_t colon = text.find(':');
    const std::string type = text.substr(0, colon);
    std::int64_t index = 0;
    bool good = type == "cpu" || type == "cuda";
    if (colon != std::string::npos) {
      const char* end = text.data() + text.size();
      const auto [parsed, error] = std::from_chars(text.data() + colon + 1, end, index);
      good = good && error == std::errc{} && parsed == end && index >= 0 && index <= 127;
    }
    if (!good) {
      fail(ErrorCode::InvalidArgument,
           fmt::format("compile spec target_device of delegate '{}': wanted cpu, cuda or cuda:N "
                       "with N from 0 to 127, found '{}'",
                       delegate.name,
                       as_text(spec.value)));
    }
    if (type == "cpu") return std::nullopt;
    return index;
  }
  return std::nullopt;
}

DeviceStats place_devices(Program& program) { return Placement(program).run(); }

}  // namespace ptec::edge
