// The bytes of a constant as they are stored.
#pragma once

#include "ir/program.h"
#include "support/payload.h"

namespace ptec::emit {

/// The contiguous bytes of a parameter, buffer or constant, in its dim order. Needs a dense layout
/// (edge/constant_layout.h).
Payload dense_bytes(const TensorData& data);

}  // namespace ptec::emit
