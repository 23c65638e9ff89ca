// Control flow -> jumps.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "emit/value.h"
#include "ops/control_flow.h"

namespace ptec::emit {

/// Asks for a new value for a graph's input.
inline constexpr ValueIndex kNewValue = -1;

/// What the emitter of a method does for it.
struct MethodWriter {
  Method& method;
  std::function<ValueIndex(EValue)> add_value;
  std::function<std::int32_t(std::string_view)> operator_index;
  /// Emits a graph whose inputs are those values, fills in the new ones, and returns the results'.
  std::function<std::vector<ValueIndex>(const Graph&, std::vector<ValueIndex>&)> emit_graph;
};

/// A node of control flow, with the values that it works with.
struct ControlFlowCall {
  const edge::ControlFlow& flow;
  ValueIndex predicate = kNewValue;
  std::vector<ValueIndex> operands;
  std::vector<ValueIndex> results;
  std::vector<bool> copied;  // by result: a branch's result is copied, not shared
  // By result: a turn or branch gives it in a size that is only known when the program runs.
  std::vector<bool> resized;
};

/// Emits the node in place, every graph once, with jumps to instructions by their index. `cond`,
/// `map` and `scan` come out as in the reference. `while_loop`, which the reference refuses, copies
/// its operands to the results, and after each turn what the body returns. Source: ExecuTorch 1.4,
/// exir/emit/_emitter.py, `_emit_cond`, `_emit_map` and `_emit_scan`.
void emit_control_flow(const MethodWriter& writer, const ControlFlowCall& call);

}  // namespace ptec::emit
