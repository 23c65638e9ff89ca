// Which element type an operator computes in when its operands differ.
#pragma once

#include <vector>

#include "program/program.h"

namespace ptec::edge {

/// The type that both can be cast to, as torch.promote_types says.
ScalarType promote_types(ScalarType a, ScalarType b);

/// Gathers operands and says what torch.result_type would: tensors with dimensions outrank those
/// without, which outrank plain numbers, unless the lower ones are of a higher category (bool,
/// integer, floating, complex). Source: torch 2.14, aten/src/ATen/native/TypeProperties.cpp.
class ResultType {
 public:
  void add(const TensorMeta& tensor);
  void add(ScalarKind number);
  /// Nothing when there was no operand.
  std::optional<ScalarType> get() const;

 private:
  std::optional<ScalarType> dimensioned_, zero_dim_, number_;
};

}  // namespace ptec::edge
