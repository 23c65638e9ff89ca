// Operators that load only where the application brings its own kernels.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"

namespace ptec::edge {

struct MissingKernel {
  std::string kernel;              // "aten::sort.values"
  std::vector<std::string> nodes;  // that call it, in graph order
};

/// What the stock runtime has no kernel for, by name, branches and bodies of control flow included.
/// Takes functional and out form.
std::vector<MissingKernel> find_missing_kernels(const Graph& graph);

/// "aten::erfinv.out (node 'erfinv'), aten::sort.values (nodes 'sort', 'sort_1')".
std::string missing_kernels_text(const std::vector<MissingKernel>& missing);

}  // namespace ptec::edge
