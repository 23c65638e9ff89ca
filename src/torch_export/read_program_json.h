// The top level of models/<name>.json.
#pragma once

#include "ir/program.h"
#include "torch_export/json.h"

namespace ptec {

/// Everything but payloads: graph, signature, trees, ranges, versions. Keeps nothing of the
/// document.
Program read_program_json(const json::Document& document);

}  // namespace ptec
