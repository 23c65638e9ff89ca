// torch.export's JSON -> Program.
#pragma once

#include <string>
#include <string_view>

#include "archive/pt2.h"
#include "ir/program.h"

namespace ptec {

/// Reads the program `model` of an archive: strict JSON of schema major 8, signature, trees,
/// payload configs and the engines' records (not the engines). The result borrows from `archive`.
/// Throws Malformed or Unsupported naming member, node or FQN; see docs/formats/pt2.md for what is
/// refused.
Program read_program(const archive::Pt2Archive& archive, std::string_view model = "model");

/// The same from the text of models/<name>.json alone: tensors are described but have no bytes,
/// objects are empty. Any bytes are safe here: fuzz/program_fuzz.cpp.
Program parse_exported_program(std::string_view json);

}  // namespace ptec
