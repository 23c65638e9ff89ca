// The two 16-bit floats as ordinary ones.
#pragma once

#include <cstdint>

namespace ptec::run {

float half_to_float(std::uint16_t bits);      // IEEE 754 binary16
float bfloat16_to_float(std::uint16_t bits);  // the upper half of a float

}  // namespace ptec::run
