#include "plan/plan.h"

#include <limits>
#include <map>

#include "plan/greedy.h"
#include "plan/lifetimes.h"
#include "support/bytes.h"
#include "support/error.h"

namespace ptec::plan {
namespace {

constexpr std::uint64_t kAlignmentBytes = 16;  // ExecuTorch's default for tensors

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

std::vector<Arena> plan_memory(Program& program) {
  const Lifetimes lifetimes = find_lifetimes(program);
  std::map<std::optional<std::int64_t>, std::vector<SpecId>>
      by_device;  // the host (nothing) sorts first
  for (const SpecId spec : lifetimes.to_plan)
    by_device[program.spec(spec).cuda_index].push_back(spec);

  std::vector<Arena> arenas(1);
  for (const auto& [device, specs] : by_device) {
    std::vector<Tensor> tensors;
    for (const SpecId spec : specs) {
      tensors.push_back({round_up(tensor_size_bytes(program.spec(spec)), kAlignmentBytes),
                         lifetimes.of[static_cast<std::size_t>(spec)]});
    }
    const Placement placement = place_greedily(tensors);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      program.spec(specs[i]).memory_id = static_cast<std::uint32_t>(arenas.size());
      program.spec(specs[i]).memory_offset_bytes = placement.offset_bytes[i];
    }
    arenas.push_back({placement.arena_size_bytes, device});
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
