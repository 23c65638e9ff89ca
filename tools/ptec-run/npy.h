// NumPy's .npy files, versions 1 to 3: one array with its type and shape.
#pragma once

#include <string>
#include <string_view>

#include "array.h"
#include "support/input_file.h"

namespace ptec::run {

/// Reads one array. Fortran order is turned into C order. Element types are NumPy's little-endian
/// numbers and bool; `wanted` may name bfloat16, which NumPy has not: it is then taken from
/// unsigned 16-bit numbers with the same bits. Throws Malformed with the field for what is no .npy,
/// and when the data's size is not what type and shape say; Unsupported for other types, among them
/// big-endian numbers and Python objects. Source: NumPy, "A simple file format for NumPy arrays"
/// (NEP 1).
Array read_npy(const InputFile& file, const inspect::PteDtype* wanted = nullptr);

/// A version 1 file. bfloat16 is written as unsigned 16-bit numbers. Throws Unsupported for types
/// that NumPy has not.
std::string npy_bytes(const Array& array);

}  // namespace ptec::run
