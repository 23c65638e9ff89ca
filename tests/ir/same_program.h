// Whether two programs say the same.
#pragma once

#include <gtest/gtest.h>

#include "ir/program.h"

namespace ptec::test {

/// Compares structure and content: nodes in order with names, targets, arguments, values and users,
/// specs, trees, ranges, descriptions and sizes of payloads. Expressions are compared by their
/// text, nodes by name.
::testing::AssertionResult same_program(const Program& a, const Program& b);

}  // namespace ptec::test
