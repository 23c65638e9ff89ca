#include "session/pipeline.h"

#include <chrono>
#include <optional>
#include <utility>

#include "backends/tensorrt/partitioner.h"
#include "edge/asserts.h"
#include "edge/check.h"
#include "edge/check_values.h"
#include "edge/constant_layout.h"
#include "edge/copy_views.h"
#include "edge/dead_code.h"
#include "edge/decompose.h"
#include "edge/dense_results.h"
#include "edge/dim_order.h"
#include "edge/engine_mutations.h"
#include "edge/functionalize.h"
#include "edge/group_inputs.h"
#include "edge/input_copies.h"
#include "edge/lower_missing.h"
#include "edge/nested_graphs.h"
#include "edge/no_ops.h"
#include "edge/promote.h"
#include "edge/scalars.h"
#include "exec/bounds.h"
#include "exec/device_state.h"
#include "exec/devices.h"
#include "exec/out_variants.h"
#include "exec/requires_grad.h"
#include "exec/specs.h"
#include "exec/stacked_results.h"
#include "exec/view_elision.h"
#include "exec/write_back.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ops/missing_kernels.h"
#include "partition/fuse.h"
#include "plan/gaps.h"
#include "plan/plan.h"
#include "tensorrt/engine_calls.h"

namespace ptec {
namespace {

#ifdef NDEBUG
constexpr bool kVerifyEachStep = false;
#else
constexpr bool kVerifyEachStep = true;
#endif

/// The pass, for the graphs of control flow too.
template <typename Pass>
auto everywhere(const Pass& pass) {
  return [pass](Program& program) {
    edge::in_every_graph(program, [&pass](Program& each) { pass(each); });
  };
}

const Program& program_of(const Program& program) { return program; }
const Program& program_of(const EdgeProgram& edge) { return edge.program; }
const Program& program_of(const ExecProgram& exec) { return exec.program; }

/// Runs the passes of one phase: times each, verifies its result in debug builds, keeps the text
/// when asked to. `Phase` is what they work on: Program, EdgeProgram or ExecProgram.
template <typename Phase>
class Steps {
 public:
  Steps(Phase& phase, const PipelineOptions& options, Report& report)
      : phase_(phase), options_(options), report_(report) {
    if (options_.trace_steps) before_ = print_program(program_of(phase_));
  }

  template <typename Pass>
  auto step(std::string_view name, const Pass& pass) {
    const auto start = std::chrono::steady_clock::now();
    if constexpr (std::is_void_v<decltype(pass(phase_))>) {
      pass(phase_);
      finish(name, start);
    } else {
      auto result = pass(phase_);
      finish(name, start);
      return result;
    }
  }

 private:
  void finish(std::string_view name, std::chrono::steady_clock::time_point start) {
    StepReport& done = report_.steps.emplace_back();
    done.method = program_of(phase_).name;
    done.step = name;
    done.elapsed_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::steady_clock::now() - start)
                          .count();
    if (kVerifyEachStep) verify(phase_, name);
    if (options_.trace_steps) {
      std::string after = print_program(program_of(phase_));
      done.text = after == before_ ? "unchanged" : after;
      before_ = std::move(after);
    }
  }

  Phase& phase_;
  const PipelineOptions& options_;
  Report& report_;
  std::string before_;
};

/// A pass over programs, for a phase that holds one.
template <typename Pass>
auto on_program(const Pass& pass) {
  return [pass](auto& phase) { return pass(phase.program); };
}

/// A pass over the method, for the graphs of control flow too.
template <typename Pass>
auto everywhere_in(const Pass& pass) {
  return [pass](ExecProgram& exec) {
    edge::in_every_graph(exec.program, [&](Program&) { pass(exec); });
  };
}

}  // namespace

std::vector<edge::MaxSizeResult> bound_by_hand(Program& program, const PipelineOptions& options) {
  return edge::apply_max_sizes(program, options.max_sizes);
}

LoweredToEdge lower_to_edge(Program program, const PipelineOptions& options, Report& report) {
  Steps<Program> steps(program, options, report);
  const int traces = edge::traces_with_mutated_inputs(program);
  // Every engine is proven before anything is changed.
  steps.step("check engines", [](Program& p) { tensorrt::find_engine_calls(p); });
  steps.step("use dense results", everywhere(edge::use_dense_results));
  steps.step("group inputs", edge::group_inputs);
  steps.step("functionalize", everywhere(edge::functionalize));
  steps.step("copy mutated inputs",
             [traces](Program& p) { return edge::copy_mutated_inputs(p, traces); });
  const edge::EngineMutationStats state =
      steps.step("declare engine mutations", edge::declare_engine_mutations);
  steps.step("check recorded values", everywhere(edge::check_recorded_values));
  steps.step("decompose", everywhere(edge::decompose));
  steps.step("remove dead code", edge::remove_dead_code);
  steps.step("remove unused parameters", edge::remove_unused_parameters);
  steps.step("remove metadata asserts", everywhere(edge::remove_metadata_asserts));
  steps.step("copy views", everywhere(edge::copy_views));
  // From here on nothing aliases.
  steps.step("lift scalars", edge::lift_scalars);
  steps.step("remove no-ops", everywhere(edge::remove_no_ops));
  steps.step("cast mixed types", everywhere(edge::cast_mixed_types));
  steps.step("use dim orders", everywhere(edge::use_dim_orders));
  steps.step("normalize constants", edge::normalize_constant_layout);
  // What nothing uses needs no kernel, so it goes before operators are checked.
  steps.step("remove dead code", edge::remove_dead_code);
  if (options.lower_missing) {
    steps.step("lower missing kernels", everywhere(edge::lower_missing_kernels));
    steps.step("remove dead code", edge::remove_dead_code);
  }
  steps.step("check operators",
             [&](Program& p) { edge::check_exportable(p, {options.require_kernels}); });
  // From here on every operator that is no engine has a row in the operator table.
  LoweredToEdge out{{std::move(program), {}}, state.updated_in_place};
  Steps<EdgeProgram> partitioning(out.edge, options, report);
  partitioning.step("delegate to TensorRT", [](EdgeProgram& edge) {
    return delegate_to(edge, backends::TensorRtPartitioner());
  });
  return out;
}

ExecProgram to_executorch(EdgeProgram edge, const PipelineOptions& options, Report& report) {
  ExecProgram exec(std::move(edge));
  Steps<ExecProgram> steps(exec, options, report);
  const std::vector<OutputSpec> mutations = edge::mutations_of(exec.program);
  steps.step("write back", on_program(edge::write_back));
  steps.step("make operands contiguous", on_program(everywhere(edge::make_operands_contiguous)));
  steps.step("propagate requires_grad", on_program(edge::propagate_requires_grad));
  steps.step("make specs", edge::make_specs);
  if (!options.device_buffers.empty()) {
    steps.step("keep state on devices", [&options](ExecProgram& e) {
      return edge::keep_state_on_device(e, options.device_buffers);
    });
  }
  // Copies take over the specs of what they copy, so specs come first; bounds need every spec, so
  // they come after.
  steps.step("place devices", edge::place_devices);
  steps.step("remove asserts", on_program(everywhere(edge::remove_asserts)));
  steps.step("elide views", everywhere_in(edge::elide_views));
  steps.step("bound shapes", edge::bound_shapes);
  // From here on every size is a number.
  steps.step("out variants", edge::to_out_variants);
  // From here on every operator is in out form; no pass may add a functional one.
  steps.step("mark stacked results", edge::mark_stacked_results);
  steps.step("alias in-place results", edge::alias_in_place_results);
  edge::verify_mutations(exec, mutations);
  for (edge::MissingKernel& missing : edge::find_missing_kernels(exec.program)) {
    report.missing_kernels.push_back(
        {exec.program.name, std::move(missing.kernel), std::move(missing.nodes)});
  }
  steps.step("plan memory", [&options](ExecProgram& e) {
    plan::plan_memory(
        e, options.planner == Planner::Gaps ? plan::place_in_gaps : plan::place_greedily);
  });
  return exec;
}

}  // namespace ptec
