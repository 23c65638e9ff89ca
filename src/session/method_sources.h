// The methods that a caller asks for.
#pragma once

#include <string>
#include <vector>

#include "archive/pt2.h"
#include "ptec/export.h"

namespace ptec {

/// Throws InvalidArgument unless there is a method and each has a name of its own that a .pte can
/// hold. Source: torch_tensorrt 2.14, executorch/_export.py: a name is any text that is not empty.
void check_method_names(const std::vector<MethodSource>& methods);

/// Opens the archives in the given order. Throws what Pt2Archive::open throws, all problems
/// together, and InvalidArgument when two methods name one file or the output is one of them.
std::vector<archive::Pt2Archive> open_archives(const std::vector<MethodSource>& methods,
                                               const std::string& output);

}  // namespace ptec
