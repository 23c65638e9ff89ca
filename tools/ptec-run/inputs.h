// What a method gets: from the command line, checked against the method's own description.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "array.h"
#include "pte/pte.h"

namespace ptec::run {

/// One input: nothing, a number that the program was traced with, or an array.
using Input = std::variant<std::monostate, std::int64_t, bool, double, Array>;

/// Inputs of a method in order. `texts` has one a method input, or none at all for the program's
/// own: ones in the shapes that it states (the largest where they are bounds), and the numbers that
/// it was traced with. A text is one of
///   file.npy        the array in that file
///   ones:2x3:int64  zeros:2x3  ones  a filled array; without shape or type the program's own
///   default         the program's own
///   3  2.5  true    a number; it has to equal the recorded one, since programs are specialised on
///   them
/// Throws InvalidArgument naming input, wanted and found, for a wrong count, shape or dtype; what
/// read_npy throws for files.
std::vector<Input> make_inputs(const inspect::PtePlan& plan, const std::vector<std::string>& texts);

/// "float32[2, 16]", "float32[<=8, 16]"-like text of what the method wants at an input.
std::string wanted_text(const inspect::PteValue& value);

}  // namespace ptec::run
