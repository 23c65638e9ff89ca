// Names for nodes that a pass adds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ir/program.h"

namespace ptec {

/// The names in use in a graph. Made once a pass, so that adding many nodes stays linear; looks at
/// the graph when it is first asked, so that a pass that adds nothing pays nothing.
class NameTable {
 public:
  explicit NameTable(const Graph& graph);
  /// `wanted`, or `wanted_1`, `wanted_2`, … whichever is free first; taken from then on.
  std::string unique(std::string_view wanted);

 private:
  const Graph* graph_;                                        // until the names are taken from it
  std::unordered_set<std::string> taken_;                     // looked up only
  std::unordered_map<std::string, std::size_t> next_suffix_;  // looked up only
};

/// Names `prefix_N` with N counting up, from above the highest that the graph has. For passes that
/// add very many nodes.
class NameSequence {
 public:
  NameSequence(const Graph& graph, std::string_view prefix);
  std::string next();

 private:
  std::string stem_;  // "prefix_"
  std::uint64_t last_ = 0;
};

}  // namespace ptec
