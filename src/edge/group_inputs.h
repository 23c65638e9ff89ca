// The order of a method's placeholders.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct GroupInputsStats {
  bool changed = false;
};

/// Puts placeholders in groups: parameters, buffers, tensor constants, objects, then what the
/// caller passes; the order within a group stays. Torch-TensorRT's legacy exporter writes them in
/// order of first use; the reference's re-trace groups them, and values are numbered in that order.
/// Source: torch 2.14, torch/export/exported_program.py, `run_decompositions`.
GroupInputsStats group_inputs(Program& program);

}  // namespace ptec::edge
