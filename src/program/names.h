// Names for nodes that a pass adds.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "program/program.h"

namespace ptec {

/// The names in use in a graph. Made once a pass, so that adding many nodes stays linear.
class NameTable {
 public:
  explicit NameTable(const Graph& graph);
  /// `wanted`, or `wanted_1`, `wanted_2`, … whichever is free first; taken from then on.
  std::string unique(std::string_view wanted);

 private:
  std::unordered_set<std::string> taken_;                     // looked up only
  std::unordered_map<std::string, std::size_t> next_suffix_;  // looked up only
};

}  // namespace ptec
