// Views -> copies.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct ViewStats {
  int rewritten = 0;
};

/// Every view becomes its copying form, whose result is contiguous; the layouts of what depends on
/// it follow. Source: ExecuTorch 1.4, exir/passes/replace_broken_ops_with_function_ops_pass.py.
ViewStats copy_views(Program& program);

}  // namespace ptec::edge
