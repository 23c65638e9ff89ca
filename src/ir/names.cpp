#include "ir/names.h"

#include <algorithm>
#include <charconv>

namespace ptec {

NameTable::NameTable(const Graph& graph) : graph_(&graph) {}

std::string NameTable::unique(std::string_view wanted) {
  if (graph_ != nullptr) {
    taken_.reserve(graph_->size() * 2);
    for (NodeId id = graph_->first(); id != kNoNode; id = graph_->at(id).next) {
      taken_.insert(graph_->at(id).name);
    }
    graph_ = nullptr;
  }
  std::string name(wanted);
  if (taken_.insert(name).second) return name;
  std::size_t& suffix = next_suffix_[name];
  while (true) {
    std::string candidate = name + "_" + std::to_string(++suffix);
    if (taken_.insert(candidate).second) return candidate;
  }
}

NameSequence::NameSequence(const Graph& graph, std::string_view prefix)
    : stem_(std::string(prefix) + "_") {
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    const std::string_view name = graph.at(id).name;
    if (!name.starts_with(stem_)) continue;
    std::uint64_t number = 0;
    const char* end = name.data() + name.size();
    const auto [parsed, error] = std::from_chars(name.data() + stem_.size(), end, number);
    if (error == std::errc{} && parsed == end) last_ = std::max(last_, number);
  }
}

std::string NameSequence::next() { return stem_ + std::to_string(++last_); }

}  // namespace ptec
