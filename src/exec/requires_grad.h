// Which tensors require a gradient: only visible in the file, but there.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

/// Recomputes `requires_grad` as the reference's re-trace does: a result of floating type requires
/// a gradient when an input of its operator does, and so does an input of the program that such a
/// result is written to. Parameters keep theirs; one that an engine reads gives its results none.
void propagate_requires_grad(Program& program);

}  // namespace ptec::edge
