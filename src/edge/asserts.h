// Checks that the traced program made of itself.
#pragma once

#include <string_view>

#include "ir/program.h"

namespace ptec::edge {

struct AssertStats {
  int removed = 0;
};

/// Whether the operator only checks something and returns nothing.
bool is_assert(std::string_view target);

/// Removes checks of a tensor's type and layout, which the export has answered. Source: ExecuTorch
/// 1.4, exir/passes/remove_graph_asserts_pass.py, RemoveNonCoreAtenOpGraphAssertsPass.
AssertStats remove_metadata_asserts(Program& program);

/// Removes all checks, and what only they used. Source: the same file, RemoveGraphAssertsPass.
AssertStats remove_asserts(Program& program);

}  // namespace ptec::edge
