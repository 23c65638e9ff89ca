// Results that lie row by row, whatever a trace recorded.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct DenseResultStats {
  int reset = 0;
};

/// Gives what an engine returns, and what `nonzero` returns, dense strides in plain order, and
/// infers whatever reads it again, views included. TensorRT and the kernel of `nonzero` write rows;
/// Torch-TensorRT's own exporter records the strides that the results had in the original graph,
/// and torch records (1, n) for `nonzero`. Operators that are known by their decomposition only
/// keep what is recorded: decompose.h infers them. Has to come before anything looks at layouts.
/// Throws Unsupported where the layout of a reader is not known.
DenseResultStats use_dense_results(Program& program);

}  // namespace ptec::edge
