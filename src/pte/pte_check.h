// Rules between the parts of a program: whatever is an index names something that exists.
#pragma once

#include "pte/pte.h"

namespace ptec::inspect {

/// Throws Malformed naming method, item, wanted and found. Resolves the ranges of delegates' blobs
/// and tensors' data.
void check_pte_program(PteFile& file);

}  // namespace ptec::inspect
