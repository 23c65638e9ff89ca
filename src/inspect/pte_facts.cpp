#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "inspect/facts.h"
#include "inspect/pte_effects.h"
#include "support/error.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

constexpr std::uint64_t kFrontBytes = 8;

/// What each segment is for, by the parts of the program that name it.
std::vector<std::string> segment_uses(const PteFile& file) {
  std::vector<std::string> out(file.segments.size());
  const auto add = [&out](std::size_t segment, const std::string& use) {
    if (segment < out.size()) out[segment] += (out[segment].empty() ? "" : ", ") + use;
  };
  if (file.constants.offsets_bytes.size() > 1 || !file.segments.empty())
    add(file.constants.segment, "constants");
  for (const PteSubsegments& part : file.mutable_data)
    add(part.segment, "initial values of buffers");
  for (const PtePlan& plan : file.plans) {
    for (std::size_t i = 0; i < plan.delegates.size(); ++i) {
      if (!plan.delegates[i].inline_data) {
        add(plan.delegates[i].index, fmt::format("delegate {} of {}", i, printable(plan.name)));
      }
    }
  }
  for (const PteNamedData& named : file.named_data)
    add(named.segment, fmt::format("named data '{}'", printable(named.key)));
  return out;
}

std::vector<PteRegion> regions_of(const PteFile& file) {
  std::vector<PteRegion> out;
  std::uint64_t end = 0;
  const auto add = [&](std::uint64_t to, std::string what) {
    if (to > end) out.push_back({{end, to - end}, std::move(what)});
    end = std::max(end, to);
  };
  add(kFrontBytes, "root offset and identifier");
  if (file.header_size_bytes != 0) add(kFrontBytes + file.header_size_bytes, "extended header");
  add(file.program_size_bytes, "flatbuffer");
  const std::vector<std::string> uses = segment_uses(file);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < file.segments.size(); ++i) {
    if (file.segments[i].size_bytes != 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&file](std::size_t a, std::size_t b) {
    return file.segments[a].offset_bytes < file.segments[b].offset_bytes;
  });
  for (const std::size_t i : order) {
    const FileRange& segment = file.segments[i];
    add(segment.offset_bytes, "padding");
    add(segment.offset_bytes + segment.size_bytes,
        fmt::format("segment {}: {}", i, uses[i].empty() ? "nothing refers to it" : uses[i]));
  }
  add(file.size_bytes, "bytes that belong to nothing");
  return out;
}

/// The copy that an instruction makes between host and device, if it makes one.
std::optional<PteCopy> copy_of(const PtePlan& plan, const PteInstruction& instruction) {
  const auto* call = std::get_if<PteKernelCall>(&instruction);
  if (call == nullptr || call->args.size() < 2) return std::nullopt;
  const std::string name = plan.operators[call->op_index].full_name();
  const bool to_device = name == "et_copy::_h2d_copy.out";
  if (!to_device && name != "et_copy::_d2h_copy.out") return std::nullopt;
  const auto tensor = [&plan](std::int32_t value) {
    return std::get_if<PteTensor>(&plan.values[static_cast<std::size_t>(value)]);
  };
  const PteTensor* source = tensor(call->args[0]);
  const PteTensor* destination = tensor(call->args[1]);
  if (source == nullptr || destination == nullptr) return std::nullopt;
  PteCopy copy;
  copy.source = call->args[0];
  copy.destination = call->args[1];
  copy.to_device = to_device;
  copy.device = to_device ? destination->device : source->device;
  copy.size_bytes = source->size_bytes;
  return copy;
}

PteCopyFacts copies_of(const PtePlan& plan) {
  PteCopyFacts out;
  for (std::size_t chain = 0; chain < plan.chains.size(); ++chain) {
    for (std::size_t i = 0; i < plan.chains[chain].size(); ++i) {
      std::optional<PteCopy> copy = copy_of(plan, plan.chains[chain][i]);
      if (!copy) continue;
      copy->chain = chain;
      copy->instruction = i;
      (copy->to_device ? out.to_device_bytes : out.to_host_bytes) += copy->size_bytes;
      out.each.push_back(*copy);
    }
  }
  return out;
}

}  // namespace

PteFacts gather_pte_facts(const std::string& path, const InputFile& file) {
  PteFacts out;
  out.path = path;
  out.file = read_pte(file);
  out.regions = regions_of(out.file);
  std::map<std::uint64_t, std::size_t> users;  // delegates by where their bytes begin
  for (const PtePlan& plan : out.file.plans) {
    for (const PteDelegate& delegate : plan.delegates) ++users[delegate.blob.offset_bytes];
  }
  const Breadcrumb here("program", out.path);
  for (const PtePlan& plan : out.file.plans) {
    PtePlanFacts& facts = out.plans.emplace_back();
    facts.copies = copies_of(plan);
    for (std::size_t i = 0; i < plan.delegates.size(); ++i) {
      const PteDelegate& delegate = plan.delegates[i];
      const std::string label = fmt::format("{}", i);
      const Breadcrumb method("method", plan.name);
      const Breadcrumb inner("delegate", label);
      PteDelegateFacts& one = facts.delegates.emplace_back();
      one.shared_by = users[delegate.blob.offset_bytes];
      if (delegate.backend_id == kTensorRtBackendId)
        one.blob = read_tensorrt_blob(file, delegate.blob);
    }
    facts.state = state_values(plan, facts.delegates);
  }
  return out;
}

}  // namespace ptec::inspect
