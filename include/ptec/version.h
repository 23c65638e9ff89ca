// The version of this library.
#pragma once

#include <string_view>

namespace ptec {

/// "MAJOR.MINOR.PATCH", as CMake's project() has it.
std::string_view version();

}  // namespace ptec
