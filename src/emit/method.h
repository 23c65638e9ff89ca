// Program in out form -> values and instructions.
#pragma once

#include "emit/data_table.h"
#include "emit/external.h"
#include "emit/value.h"

namespace ptec::emit {

/// Numbers the values and lists the instructions of one planned program: inputs and constants
/// first, in graph order, then for each node its new values, an out tensor before the literals of
/// its operator. Fresh values for literals each time. With `initial_values`, what the archive holds
/// of a buffer that the program writes to goes there: the runtime fills the buffer with it when it
/// loads the method. A table of its own, since equal bytes may also be a constant. With `external`,
/// constants that its choice names a file for go there. Source: ExecuTorch 1.4,
/// exir/emit/_emitter.py, and exir/passes/init_mutable_pass.py.
Method emit_method(const ExecProgram& exec,
                   DataTable& constants,
                   DataTable* initial_values = nullptr,
                   ExternalTable* external = nullptr);

}  // namespace ptec::emit
