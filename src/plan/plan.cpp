#include "plan/plan.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "ops/control_flow.h"
#include "plan/greedy.h"
#include "plan/lifetimes.h"
#include "support/bytes.h"
#include "support/error.h"

namespace ptec::plan {
namespace {

constexpr std::uint64_t kAlignmentBytes = 16;  // ExecuTorch's default for tensors
constexpr std::uint32_t kHostMemoryId = 1;

/// Places the specs from `base_bytes` on and returns where they end.
std::uint64_t place(Program& program,
                    const std::vector<SpecId>& specs,
                    const Lifetimes& lifetimes,
                    std::uint32_t memory_id,
                    std::uint64_t base_bytes,
                    PlaceTensors place_tensors) {
  std::vector<Tensor> tensors;
  for (const SpecId spec : specs) {
    tensors.push_back({round_up(tensor_size_bytes(program.spec(spec)), kAlignmentBytes),
                       lifetimes.of[static_cast<std::size_t>(spec)]});
  }
  const Placement placement = place_tensors(tensors, base_bytes);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    program.spec(specs[i]).memory_id = memory_id;
    program.spec(specs[i]).memory_offset_bytes = placement.offset_bytes[i];
  }
  return placement.arena_size_bytes;
}

std::uint64_t plan_inner_graphs(Program& program,
                                const Graph& outer,
                                Lifetimes& lifetimes,
                                PlaceTensors place_tensors);

/// One graph of control flow and those inside it. Returns the bytes from 0 on that they need.
std::uint64_t plan_inner_graph(Program& program,
                               const Graph& graph,
                               bool with_inputs,
                               Lifetimes& lifetimes,
                               PlaceTensors place_tensors) {
  add_lifetimes(program, graph, lifetimes);
  std::vector<SpecId> specs = std::move(lifetimes.to_plan);
  if (!with_inputs) {
    std::set<SpecId> inputs;
    for (const NodeId input : graph.inputs)
      inputs.insert(graph.at(input).specs.begin(), graph.at(input).specs.end());
    std::erase_if(specs, [&inputs](SpecId spec) { return inputs.contains(spec); });
  }
  const std::uint64_t base_bytes = plan_inner_graphs(program, graph, lifetimes, place_tensors);
  return place(program, specs, lifetimes, kHostMemoryId, base_bytes, place_tensors);
}

/// The graphs of all control flow in `outer`. Returns what the largest of them needs.
std::uint64_t plan_inner_graphs(Program& program,
                                const Graph& outer,
                                Lifetimes& lifetimes,
                                PlaceTensors place_tensors) {
  std::uint64_t largest = 0;
  for (NodeId id = outer.first(); id != kNoNode; id = outer.at(id).next) {
    const std::optional<edge::ControlFlow> flow = edge::find_control_flow(outer.at(id));
    if (!flow) continue;
    for (const Graph* graph : flow->graphs) {
      largest = std::max(
          largest,
          plan_inner_graph(program, *graph, !flow->sliced.empty(), lifetimes, place_tensors));
    }
  }
  return largest;
}

}  // namespace

std::uint64_t tensor_size_bytes(const TensorSpec& spec) {
  std::optional<std::uint64_t> size = static_cast<std::uint64_t>(info(spec.dtype).size_bytes);
  for (const Dim& dim : spec.sizes) {
    PTEC_INVARIANT(dim.is_number() && dim.number() >= 0,
                   "a size is still symbolic after the bounds pass");
    size = checked_mul(*size, static_cast<std::uint64_t>(dim.number()));
    if (!size) break;
  }
  if (!size || *size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) -
                           kAlignmentBytes) {
    fail(ErrorCode::Limit, "a tensor is larger than 2^63 bytes");
  }
  return *size;
}

std::vector<Arena> plan_memory(Program& program, PlaceTensors place_tensors) {
  Lifetimes lifetimes = find_lifetimes(program);
  std::map<std::optional<std::int64_t>, std::vector<SpecId>>
      by_device;  // the host (nothing) sorts first
  for (const SpecId spec : lifetimes.to_plan)
    by_device[program.spec(spec).cuda_index].push_back(spec);
  const std::uint64_t inner_bytes =
      plan_inner_graphs(program, program.graph, lifetimes, place_tensors);
  if (inner_bytes > 0) by_device.try_emplace(std::nullopt);

  std::vector<Arena> arenas(1);
  for (const auto& [device, specs] : by_device) {
    const std::uint64_t size_bytes = place(program,
                                           specs,
                                           lifetimes,
                                           static_cast<std::uint32_t>(arenas.size()),
                                           device ? 0 : inner_bytes,
                                           place_tensors);
    arenas.push_back({size_bytes, device});
  }
  for (TensorSpec& spec : program.specs) {
    if (spec.view_base == kNoSpec) continue;
    spec.memory_id = program.spec(spec.view_base).memory_id;
    spec.memory_offset_bytes = program.spec(spec.view_base).memory_offset_bytes;
  }
  if (arenas.size() == 1)
    arenas.emplace_back();  // the format wants one arena even when nothing is planned
  return arenas;
}

}  // namespace ptec::plan
