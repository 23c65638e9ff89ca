// How inputs and outputs nest: the JSON text in `in_spec` and `out_spec`.
#pragma once

#include "ir/program.h"
#include "torch_export/json.h"

namespace ptec {

/// Reads a text `[1, node]` that a string field holds. Throws Malformed for another protocol, for
/// nodes that are not as torch.utils._pytree writes them, and for a dict whose key list does not
/// fit its children.
TreeSpec read_tree(const json::Value& text_field);

std::size_t leaf_count(const TreeSpec& tree);

}  // namespace ptec
