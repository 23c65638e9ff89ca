// Program in out form -> values and instructions.
#pragma once

#include "emit/constants.h"
#include "emit/value.h"

namespace ptec::emit {

/// Numbers the values and lists the instructions of one planned program: inputs and constants
/// first, in graph order, then for each node its new values, an out tensor before the literals of
/// its operator. Fresh values for literals each time. Source: ExecuTorch 1.4,
/// exir/emit/_emitter.py.
Method emit_method(const Program& program,
                   std::vector<plan::Arena> arenas,
                   ConstantTable& constants);

}  // namespace ptec::emit
