// Composite operators -> operators that have a kernel.
#pragma once

#include <string_view>

#include "ir/program.h"

namespace ptec::edge {

struct DecomposeStats {
  int rewritten = 0;
};

/// Rewrites composite operators the way torch's core ATen decompositions do, in the order in which
/// a trace makes the new nodes: that order ends up in the file. The rules are tables, a family a
/// file in edge/decompose/. What there is no rule for stays; check.h reports it. Throws Unsupported
/// when the archive's record of a result is not what its decomposition gives, Malformed for
/// arguments that the operator cannot have. Source: torch 2.14, torch/_decomp, torch/_refs and the
/// composite kernels in aten/src/ATen/native.
/// Where the operands of a result lie otherwise than recorded, what reads the result follows.
DecomposeStats decompose(Program& program);

/// Whether there is a rule for the operator.
bool has_decomposition(std::string_view target);

}  // namespace ptec::edge
