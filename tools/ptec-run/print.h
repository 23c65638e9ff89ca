// Arrays as text, in NumPy's manner.
#pragma once

#include <string>

#include "array.h"

namespace ptec::run {

/// Nested brackets, one row a line. Arrays of more than 64 elements show the first and last three
/// along each dimension, unless `full`.
std::string array_text(const Array& array, bool full);

}  // namespace ptec::run
