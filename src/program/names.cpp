#include "program/names.h"

namespace ptec {

NameTable::NameTable(const Graph& graph) {
  taken_.reserve(graph.size() * 2);
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next)
    taken_.insert(graph.at(id).name);
}

std::string NameTable::unique(std::string_view wanted) {
  std::string name(wanted);
  if (taken_.insert(name).second) return name;
  std::size_t& suffix = next_suffix_[name];
  while (true) {
    std::string candidate = name + "_" + std::to_string(++suffix);
    if (taken_.insert(candidate).second) return candidate;
  }
}

}  // namespace ptec
