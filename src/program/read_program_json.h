// The top level of models/<name>.json.
#pragma once

#include "program/json.h"
#include "program/program.h"

namespace ptec {

/// Everything but payloads: graph, signature, trees, ranges, versions. Keeps nothing of the
/// document.
Program read_program_json(const json::Document& document);

}  // namespace ptec
