// Composite operators -> operators that have a kernel.
#pragma once

#include "program/program.h"

namespace ptec::edge {

struct DecomposeStats {
  int rewritten = 0;
};

/// Rewrites composite operators the way torch's core ATen decompositions do: a `matmul` of two
/// matrices becomes `mm`, `softmax` and `log_softmax` become their underscored forms. What it has
/// no rule for stays; check.h reports it. Source: torch 2.14, torch/_decomp/decompositions.py.
DecomposeStats decompose(Program& program);

}  // namespace ptec::edge
