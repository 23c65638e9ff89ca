// Copies that only change the shape -> the same memory under another shape.
#pragma once

#include "ir/program.h"

namespace ptec::edge {

struct ViewElisionStats {
  int elided = 0;
};

/// A `view_copy` that the method does not return becomes `memory::view`, with a spec that shares
/// the memory of what it shows; a view of a view shows what that one shows. Where one of the two is
/// dynamic and the other is not (the reference refuses that) the copy stays. Needs specs. Source:
/// ExecuTorch 1.4, exir/passes/normalize_view_copy_base_pass.py and
/// replace_view_copy_with_view_pass.py.
ViewElisionStats elide_views(Program& program);

}  // namespace ptec::edge
