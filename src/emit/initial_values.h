// What a buffer holds before a method first writes to it.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"

namespace ptec::emit {

/// FQNs of the buffers that the program writes to and whose saved value is not all zeros, in input
/// order: without an initial value in the file that value is lost. Reads each up to its first byte
/// that is not zero. Needs dense layouts (edge/constant_layout.h).
std::vector<std::string> buffers_with_lost_values(const Program& program);

}  // namespace ptec::emit
