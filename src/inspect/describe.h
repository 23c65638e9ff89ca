// Pieces of text that both kinds of file need.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"
#include "pte/pte.h"

namespace ptec::inspect {

/// "640 bytes", "1.6 MiB (1635778 bytes)".
std::string size_text(std::uint64_t size_bytes);

/// "a, b, c"; "none" for an empty list. Names are made printable.
std::string names_text(const std::vector<std::string>& names);

std::string device_text(const PteDevice& device);

/// "float32[2, 16]"; "float32[at most 8, 16]" where the sizes are bounds.
std::string tensor_text(const PteTensor& tensor);
/// Any value: "int 3", "[%2, %5]", "float32[2]".
std::string value_text(const PteValue& value);

/// "float32[s0, 4]", and ", cuda:0" when it does not live on the CPU.
std::string tensor_text(const Program& program, const TensorMeta& meta);
/// A symbol's range: "1..32", "1..".
std::string range_text(const Range& range);

}  // namespace ptec::inspect
