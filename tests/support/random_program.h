// Programs for properties that hold of every program.
#pragma once

#include <cstdint>
#include <string>

namespace ptec::test {

/// IR text of a valid program of cheap operators on vectors, with cond, map and while_loop nested
/// up to three deep, branches of very different memory, and results that are used late. The same
/// seed gives the same text everywhere.
std::string random_program(std::uint32_t seed);

}  // namespace ptec::test
