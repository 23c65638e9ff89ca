// The IR as text: prints, and parses back to the same program.
#pragma once

#include <string>
#include <string_view>

#include "ir/program.h"

namespace ptec {

/// Stable text, see docs/formats/ir.md. Payloads appear by FQN, dtype, shape and size, not by
/// content.
std::string print_program(const Program& program);

/// Throws Malformed with line and column, Limit for what nests too deep. Constants come back
/// without payload bytes. Any bytes are safe here: fuzz/ir_text_fuzz.cpp.
Program parse_program(std::string_view text);

}  // namespace ptec
