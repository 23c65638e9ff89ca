// What loops stack turn by turn.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

/// Marks what `map` and `scan` stack as dynamic: their kernel lets it grow turn by turn. Needs
/// specs; has to come after every pass that looks at them. Source: ExecuTorch 1.4,
/// exir/emit/_emitter.py, `_emit_control_flow`.
void mark_stacked_results(Program& program);

}  // namespace ptec::edge
