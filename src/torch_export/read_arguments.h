// The arguments of a node, bound by their names.
#pragma once

#include "ir/program.h"
#include "torch_export/json.h"
#include "torch_export/read_values.h"

namespace ptec {

/// Reads the list of named arguments of one node into `node.args` and `node.kwargs`; `node.target`
/// is set. torch binds by name, so the positional ones of an operator of operator_arguments.def
/// must stand in the order of its schema without gaps, each argument is there once, and none
/// without a default is missing; all else is Malformed. What is there twice is Malformed for every
/// operator. Source: torch 2.14, torch/_export/serde/serialize.py, `deserialize_inputs`.
void read_arguments(ReadContext& context,
                    const ValueScope& values,
                    const json::Value& inputs,
                    Node& node,
                    std::size_t depth);

}  // namespace ptec
