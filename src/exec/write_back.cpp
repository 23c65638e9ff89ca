#include "exec/write_back.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "ir/mutations.h"
#include "ir/names.h"
#include "ops/ops.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

constexpr std::string_view kCopy = "aten::copy.default";

/// Operators whose result may lie in the memory of their first argument once views are lowered.
constexpr std::string_view kViews[] = {"aten::view_copy.default"};

/// The value whose memory `id` may share.
NodeId base_of(const Graph& graph, NodeId id) {
  while (std::find(std::begin(kViews), std::end(kViews), graph.at(id).target) != std::end(kViews))
    id = *graph.at(id).args.at(0).node();
  return id;
}

class WriteBack {
 public:
  explicit WriteBack(Program& program)
      : program_(program), graph_(program.graph), names_(program.graph) {}

  WriteBackStats run() {
    results_ = *graph_.at(graph_.last()).args.at(0).list();
    find_writes();
    if (writes_.empty()) return stats_;
    keep_what_is_read_later();
    for (const Write& write : writes_) results_[write.result] = append(write);
    graph_.set_arguments(graph_.last(), {Argument(results_)}, {});
    return stats_;
  }

 private:
  struct Write {
    std::size_t result = 0;  // index among the outputs
    NodeId target = kNoNode;
  };

  void find_writes() {
    for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
      const OutputSpec& output = program_.outputs[i];
      if (!is_mutation(output.kind)) continue;
      const NodeId target = find_mutated_input(program_, output);
      PTEC_INVARIANT(target != kNoNode, "nothing is called '" + output.target + "' to write to");
      PTEC_INVARIANT(results_[i].node() != nullptr,
                     "the new value of '" + output.target + "' is no tensor");
      if (*results_[i].node() != target) writes_.push_back({i, target});
    }
  }

  /// A result that lies in memory that is written before the program ends gets memory of its own.
  void keep_what_is_read_later() {
    std::set<NodeId> written;
    for (const Write& write : writes_) {
      const NodeId value = *results_[write.result].node();
      if (written.contains(base_of(graph_, value))) results_[write.result] = snapshot(value);
      written.insert(write.target);
    }
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const NodeId* value = results_[i].node();
      if (value == nullptr || is_mutation(program_.outputs[i].kind)) continue;
      if (written.contains(*value)) results_[i] = snapshot(*value);
    }
  }

  NodeId snapshot(NodeId value) {
    ++stats_.snapshots;
    return insert("copy", kCopy, value, value);
  }

  NodeId append(const Write& write) {
    ++stats_.written;
    return insert("copy_", kCopyInPlace, write.target, *results_[write.result].node());
  }

  NodeId insert(std::string_view name, std::string_view target, NodeId self, NodeId source) {
    Node copy;
    copy.name = names_.unique(name);
    copy.target = target;
    copy.args = {Argument(self), Argument(source)};
    copy.value = graph_.at(self).value;
    return graph_.insert(std::move(copy), graph_.last());
  }

  Program& program_;
  Graph& graph_;
  NameTable names_;
  Argument::List results_;
  std::vector<Write> writes_;
  WriteBackStats stats_;
};

bool writes_into(const Program& program, NodeId result, NodeId target) {
  return result == target || program.graph.at(result).specs == program.graph.at(target).specs;
}

}  // namespace

WriteBackStats write_back(Program& program) { return WriteBack(program).run(); }

void alias_in_place_results(Program& program) {
  Graph& graph = program.graph;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    Node& node = graph.at(id);
    if (node.kind == NodeKind::Call && writes_in_place(node.target))
      node.specs = graph.at(*node.args.at(0).node()).specs;
  }
}

std::vector<OutputSpec> mutations_of(const Program& program) {
  std::vector<OutputSpec> mutations;
  for (const OutputSpec& output : program.outputs) {
    if (is_mutation(output.kind)) mutations.push_back(output);
  }
  return mutations;
}

void verify_mutations(const Program& program, const std::vector<OutputSpec>& wanted) {
  const Argument::List& results = *program.graph.at(program.graph.last()).args.at(0).list();
  for (const OutputSpec& mutation : wanted) {
    bool done = false;
    for (std::size_t i = 0; i < program.outputs.size() && !done; ++i) {
      const OutputSpec& output = program.outputs[i];
      if (output.kind != mutation.kind || output.target != mutation.target) continue;
      const NodeId target = find_mutated_input(program, output);
      done = target != kNoNode && results[i].node() != nullptr &&
             writes_into(program, *results[i].node(), target);
    }
    PTEC_INVARIANT(done,
                   fmt::format("the new value of '{}' is not written to it", mutation.target));
  }
}

}  // namespace ptec::edge
