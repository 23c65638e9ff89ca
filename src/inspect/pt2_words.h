// Words for the parts of an exported program.
#pragma once

#include <string>
#include <string_view>

#include "ir/program.h"

namespace ptec::inspect {

std::string_view input_kind_name(InputKind kind);    // "user input", "parameter", ...
std::string_view output_kind_name(OutputKind kind);  // "user output", "buffer mutation", ...

/// What a node gives: "float32[2, 4]", "int s0", an engine's FQN.
std::string item_text(const Program& program, const ValueItem& item);
std::string item_text(const Program& program, const Value& value);

/// The results of a program, in order: one text each.
std::string result_text(const Program& program, const Argument& result);

std::uint64_t tensor_size_bytes(const TensorData& data);  // of its elements, not of its storage

}  // namespace ptec::inspect
