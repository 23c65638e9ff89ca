// How a method's inputs and outputs nest, as text in the file.
#pragma once

#include <string>

#include "ir/program.h"

namespace ptec::emit {

/// The tree as torch's treespec_dumps writes it: `[1, {"type": …, "context": …, "children_spec":
/// […]}]`.
std::string container_text(const TreeSpec& tree);

}  // namespace ptec::emit
