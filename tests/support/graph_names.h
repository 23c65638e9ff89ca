// Node names of a graph, for tests of the order of nodes.
#pragma once

#include <string>
#include <vector>

#include "ir/program.h"

namespace ptec::test {

inline std::vector<std::string> node_names(const Graph& graph) {
  std::vector<std::string> out;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    out.push_back(graph.at(id).name);
  }
  return out;
}

}  // namespace ptec::test
