// Weights, constants and objects: which record of the archive holds each.
#pragma once

#include <string_view>

#include "archive/pt2.h"
#include "ir/program.h"

namespace ptec {

/// Fills `program.tensors` and `program.objects` for what the program's inputs name, from the two
/// payload configs of `model`. Tensors become ranges of the archive; engines' records are read but
/// for the engine itself. An object that no node uses is left out; one that something other than an
/// operator of tensorrt uses is Unsupported.
void read_payloads(const archive::Pt2Archive& archive, std::string_view model, Program& program);

/// What `read_payloads` does without an archive: descriptions from the graph, no bytes.
void describe_payloads(Program& program);

}  // namespace ptec
