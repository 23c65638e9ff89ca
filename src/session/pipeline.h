// The compiler: what happens to a program, step by step.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "edge/max_sizes.h"
#include "emit/segments.h"
#include "ir/program.h"
#include "plan/plan.h"
#include "ptec/export.h"
#include "ptec/report.h"

namespace ptec {

struct PipelineOptions {
  bool trace_steps = false;
  /// FQNs of buffers to plan in device memory where that is possible; of those that lower_to_edge
  /// returned.
  std::set<std::string, std::less<>> device_buffers;
  Planner planner = Planner::Reference;
  bool require_kernels = false;
  bool lower_missing = false;
  std::vector<edge::MaxSize> max_sizes;
};

/// Gives sizes the upper bounds of the options. Returns what became of each.
std::vector<edge::MaxSizeResult> bound_by_hand(Program& program, const PipelineOptions& options);

/// Edge form: TensorRT has its engines, what is left is functional and has kernels. Returns the
/// FQNs of the buffers that engines update in place.
std::set<std::string, std::less<>> lower_to_edge(Program& program,
                                                 const PipelineOptions& options,
                                                 Report& report);

/// Out form with devices, bounds and memory. Returns the arenas.
std::vector<plan::Arena> lower_to_execution(Program& program,
                                            const PipelineOptions& options,
                                            Report& report);

}  // namespace ptec
