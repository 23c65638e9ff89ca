// Numbers where an operator wants a tensor -> tensors.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct ScalarStats {
  int lifted = 0;    // numbers that became constants
  int symbolic = 0;  // symbolic numbers that became scalar_tensor calls
};

/// Every number in the place of a tensor becomes a constant without dimensions (int64, float32 or
/// bool), a buffer `_lifted_tensor_constant{K}` of the signature, K counted up from the number of
/// buffers (an engine counts as one). One constant a use; its placeholder stands before the first
/// user input. In a graph of control flow a call of kConstant before the reader gives it. Every
/// symbolic number there becomes `scalar_tensor` of int32, float32 or bool. Source: ExecuTorch 1.4,
/// exir/passes/scalar_to_tensor_pass.py and sym_to_tensor_pass.py; exir/program/_program.py,
/// lift_constant_tensor_pass, for names and places.
ScalarStats lift_scalars(Program& program);

}  // namespace ptec::edge
