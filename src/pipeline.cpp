#include "pipeline.h"

#include <chrono>
#include <optional>
#include <utility>

#include "backends/tensorrt/backend.h"
#include "edge/asserts.h"
#include "edge/bounds.h"
#include "edge/check.h"
#include "edge/constant_layout.h"
#include "edge/dead_code.h"
#include "edge/decompose.h"
#include "edge/devices.h"
#include "edge/dim_order.h"
#include "edge/functionalize.h"
#include "edge/group_inputs.h"
#include "edge/lower_missing.h"
#include "edge/missing_kernels.h"
#include "edge/no_ops.h"
#include "edge/out_variants.h"
#include "edge/promote.h"
#include "edge/requires_grad.h"
#include "edge/scalars.h"
#include "edge/specs.h"
#include "edge/view_elision.h"
#include "edge/views.h"
#include "partition/fuse.h"
#include "program/text.h"
#include "program/verify.h"
#include "tensorrt/engine_calls.h"

namespace ptec {
namespace {

#ifdef NDEBUG
constexpr bool kVerifyEachStep = false;
#else
constexpr bool kVerifyEachStep = true;
#endif

/// Runs one pass: times it, verifies its result in debug builds, keeps the text when asked to.
class Steps {
 public:
  Steps(Program& program, const PipelineOptions& options, Report& report)
      : program_(program), options_(options), report_(report) {
    if (options_.trace_steps) before_ = print_program(program_);
  }

  template <typename Pass>
  auto step(std::string_view name, const Pass& pass) {
    const auto start = std::chrono::steady_clock::now();
    if constexpr (std::is_void_v<decltype(pass(program_))>) {
      pass(program_);
      finish(name, start);
    } else {
      auto result = pass(program_);
      finish(name, start);
      return result;
    }
  }

 private:
  void finish(std::string_view name, std::chrono::steady_clock::time_point start) {
    StepReport& done = report_.steps.emplace_back();
    done.method = program_.name;
    done.step = name;
    done.elapsed_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(
                          std::chrono::steady_clock::now() - start)
                          .count();
    if (kVerifyEachStep) verify(program_, name);
    if (options_.trace_steps) {
      std::string after = print_program(program_);
      done.text = after == before_ ? "unchanged" : after;
      before_ = std::move(after);
    }
  }

  Program& program_;
  const PipelineOptions& options_;
  Report& report_;
  std::string before_;
};

}  // namespace

std::vector<edge::MaxSizeResult> bound_by_hand(Program& program, const PipelineOptions& options) {
  return edge::apply_max_sizes(program, options.max_sizes);
}

void lower_to_edge(Program& program, const PipelineOptions& options, Report& report) {
  Steps steps(program, options, report);
  // Every engine is proven before anything is changed.
  steps.step("check engines", [](Program& p) { tensorrt::find_engine_calls(p); });
  steps.step("group inputs", edge::group_inputs);
  steps.step("functionalize", edge::functionalize);
  steps.step("decompose", edge::decompose);
  steps.step("remove dead code", edge::remove_dead_code);
  steps.step("remove unused parameters", edge::remove_unused_parameters);
  steps.step("remove metadata asserts", edge::remove_metadata_asserts);
  steps.step("copy views", edge::copy_views);
  // From here on nothing aliases.
  steps.step("lift scalars", edge::lift_scalars);
  steps.step("remove no-ops", edge::remove_no_ops);
  steps.step("cast mixed types", edge::cast_mixed_types);
  steps.step("use dim orders", edge::use_dim_orders);
  steps.step("normalize constants", edge::normalize_constant_layout);
  // What nothing uses needs no kernel, so it goes before operators are checked.
  steps.step("remove dead code", edge::remove_dead_code);
  if (options.lower_missing) {
    steps.step("lower missing kernels", edge::lower_missing_kernels);
    steps.step("remove dead code", edge::remove_dead_code);
  }
  steps.step("check operators",
             [&](Program& p) { edge::check_exportable(p, {options.require_kernels}); });
  // From here on every operator that is no engine has a row in the operator table.
  steps.step("delegate to TensorRT",
             [](Program& p) { return delegate_to(p, backends::TensorRtBackend()); });
}

std::vector<plan::Arena> lower_to_execution(Program& program,
                                            const PipelineOptions& options,
                                            Report& report) {
  Steps steps(program, options, report);
  steps.step("make operands contiguous", edge::make_operands_contiguous);
  steps.step("propagate requires_grad", edge::propagate_requires_grad);
  steps.step("make specs", edge::make_specs);
  // Copies take over the specs of what they copy, so specs come first; bounds need every spec, so
  // they come after.
  steps.step("place devices", edge::place_devices);
  steps.step("remove asserts", edge::remove_asserts);
  steps.step("elide views", edge::elide_views);
  steps.step("bound shapes", edge::bound_shapes);
  // From here on every size is a number.
  steps.step("out variants", edge::to_out_variants);
  // From here on every operator is in out form; no pass may add a functional one.
  for (edge::MissingKernel& missing : edge::find_missing_kernels(program.graph)) {
    report.missing_kernels.push_back(
        {program.name, std::move(missing.kernel), std::move(missing.nodes)});
  }
  return steps.step("plan memory", plan::plan_memory);
}

}  // namespace ptec
