// The signature: what each input and output of the top graph is.
#pragma once

#include <memory>
#include <vector>

#include "ir/program.h"
#include "torch_export/json.h"
#include "torch_export/read_graph.h"

namespace ptec {

/// Reads `input_specs` and `output_specs`, checks them against the graph's inputs and outputs, one
/// to one by name, and fills `program.inputs` and `program.outputs`. The graph has been read; its
/// literal inputs have the names of `literal_input_names`. Throws Malformed for a mutation of
/// something that is no such input.
void read_signature(const json::Value& signature, const json::Value& graph, Program& program);

/// Names that the signature gives to inputs that are literals, by place. Views into the document.
LiteralNames literal_input_names(const json::Value& signature);

}  // namespace ptec
