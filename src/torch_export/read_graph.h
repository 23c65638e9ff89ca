// A graph of the schema, with its nodes, and the sub-graphs in their arguments.
#pragma once

#include <string_view>
#include <vector>

#include "ir/program.h"
#include "torch_export/json.h"
#include "torch_export/read_meta.h"

namespace ptec {

/// Names for the inputs that are literals, by place; others are empty. A short list is fine.
using LiteralNames = std::vector<std::string_view>;

/// `depth` counts sub-graphs. Every value is defined once, before its first use; a sub-graph sees
/// its own values only.
Graph read_graph(ReadContext& context,
                 const json::Value& value,
                 const LiteralNames& literal_names = {},
                 std::size_t depth = 0);

}  // namespace ptec
