// Constants in a layout that a .pte can hold.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct ConstantLayoutStats {
  int copied = 0;
  int restrided = 0;  // bytes as before
};

/// Parameters, buffers and constants that are neither contiguous nor channels-last become
/// contiguous: their bytes are gathered into memory. One that is both, with the strides of neither
/// (a depthwise weight, channels last), gets plain strides. Placeholders follow, and so do results
/// that have their layout from them: an operator of which every input is contiguous gives a
/// contiguous result. Throws Limit for one over 4 GiB, Unsupported when a result's layout is not
/// clear. Source: ExecuTorch 1.4, exir/program/_program.py; plain strides for what is both are
/// ours.
ConstantLayoutStats normalize_constant_layout(Program& program);

}  // namespace ptec::edge
