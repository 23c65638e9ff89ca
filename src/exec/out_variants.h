// Functional form -> out form.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct OutVariantStats {
  int rewritten = 0;
};

/// Turns every operator of the table into its out form: a `memory::alloc` node for each out
/// argument right before it, then the operator with all arguments of its schema in order, defaults
/// filled in, literals coerced to the schema's kinds, and the allocs last. Needs specs; the out
/// tensors take over the results' specs. In-place operators stay. Engine calls must be gone. From
/// here on no pass may add a functional operator. Source: ExecuTorch 1.4, exir/passes/__init__.py,
/// ToOutVarPass.
OutVariantStats to_out_variants(Program& program);

}  // namespace ptec::edge
