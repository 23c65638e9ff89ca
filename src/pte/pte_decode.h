// Flatbuffer of a .pte -> the structs of pte.h.
#pragma once

#include "pte/pte.h"
#include "support/bytes.h"

namespace ptec::inspect {

/// Verifies the flatbuffer, then copies it into `out`. Every list that the runtime needs is there,
/// every value has a kind, tensors are sound in themselves. Indices are not yet checked
/// (pte_check.h).
void decode_pte_program(Bytes flatbuffer, PteFile& out);

}  // namespace ptec::inspect
