// A fixture's own account of what it is given and what comes out: CASE.json and the files that it
// names.
#pragma once

#include <filesystem>
#include <vector>

#include "tests/runtime/check_loads.h"

namespace ptec::test {

/// The calls that `CASE.json` lists, of all methods in order. A tensor's elements stand in it, or in
/// a file that is looked up beside it. Throws
/// std::runtime_error when something is not there.
std::vector<ExpectedCall> read_calls(const std::filesystem::path& json);

}  // namespace ptec::test
