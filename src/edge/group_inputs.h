// The order of a method's placeholders.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct GroupInputsStats {
  bool changed = false;
};

/// Puts placeholders in groups: parameters, buffers and tensor constants, objects, then what the
/// caller passes. Within a group they come module by module, a module's own before those of its
/// submodules, and modules in the order in which the names first need them; constants stand behind
/// the buffers of their module. Torch-TensorRT's legacy exporter writes them in order of first use;
/// the reference's re-traces order them so, and values are numbered in that order.
/// Source: torch 2.14, torch/export/exported_program.py, `run_decompositions`, and _unlift.py.
GroupInputsStats group_inputs(Program& program);

}  // namespace ptec::edge
