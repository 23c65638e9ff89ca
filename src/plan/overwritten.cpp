#include "plan/overwritten.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "ir/subgraphs.h"
#include "ops/control_flow.h"
#include "plan/lifetimes.h"
#include "plan/plan.h"

namespace ptec::plan {
namespace {

struct ByteRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

bool overlap(const std::vector<ByteRange>& some, const std::vector<ByteRange>& others) {
  return std::any_of(some.begin(), some.end(), [&others](const ByteRange& a) {
    return std::any_of(others.begin(), others.end(), [&a](const ByteRange& b) {
      return a.begin < b.end && b.begin < a.end;
    });
  });
}

/// Control flow of one graph in the order of its nodes.
struct Step {
  std::uint32_t position = 0;
  std::vector<SpecId> results;
  edge::ControlFlow flow;
  std::vector<ByteRange> written;  // by its graphs
};

class Finder {
 public:
  explicit Finder(const Program& program) : program_(program) {}

  std::set<SpecId> run() {
    for (const TensorSpec& spec : program_.specs) {
      if (spec.view_base != kNoSpec) view_bases_.insert(spec.view_base);
    }
    Lifetimes lifetimes = find_lifetimes(program_);
    visit(program_.graph, lifetimes);
    return std::move(overwritten_);
  }

 private:
  /// Inner graphs first: what they copy lies elsewhere afterwards.
  void visit(const Graph& graph, Lifetimes& lifetimes) {
    std::vector<Step> steps;
    std::uint32_t position = 0;
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next, ++position) {
      std::optional<edge::ControlFlow> flow = edge::find_control_flow(graph.at(id));
      if (!flow) continue;
      for (const Graph* inner : flow->graphs) {
        add_lifetimes(program_, *inner, lifetimes);
        visit(*inner, lifetimes);
      }
      std::vector<ByteRange> written = written_by(*flow);
      steps.push_back({position, graph.at(id).specs, *std::move(flow), std::move(written)});
    }
    for (auto step = steps.begin(); step != steps.end(); ++step) {
      if (step->flow.kind != edge::ControlFlowKind::Cond) continue;
      for (std::size_t i = 0; i < step->results.size(); ++i) {
        const SpecId result = step->results[i];
        const std::vector<ByteRange> bytes = shared_bytes(step->flow, i);
        const std::uint32_t last = lifetimes.of[static_cast<std::size_t>(result)].last;
        bool copy = view_bases_.contains(result) || returns_input(step->flow, i);
        for (auto later = step + 1; !copy && later != steps.end() && later->position <= last;
             ++later) {
          copy = overlap(bytes, later->written);
        }
        if (copy) {
          overwritten_.insert(result);
        } else {
          shared_.emplace(result, bytes);
        }
      }
    }
  }

  static bool returns_input(const edge::ControlFlow& flow, std::size_t index) {
    return std::any_of(flow.graphs.begin(), flow.graphs.end(), [index](const Graph* branch) {
      const NodeId result = *edge::results_of(*branch)[index].node();
      return branch->at(result).kind == NodeKind::Placeholder;
    });
  }

  std::optional<ByteRange> range_of(SpecId id) const {
    const TensorSpec& spec = program_.spec(id);
    if (spec.memory_id == 0) return std::nullopt;
    return ByteRange{spec.memory_offset_bytes, spec.memory_offset_bytes + tensor_size_bytes(spec)};
  }

  /// Where result `index` of a cond lies when it shares a branch's tensor.
  std::vector<ByteRange> shared_bytes(const edge::ControlFlow& flow, std::size_t index) const {
    std::vector<ByteRange> out;
    for (const Graph* branch : flow.graphs) {
      const SpecId spec = branch->at(*edge::results_of(*branch)[index].node()).specs.at(0);
      if (const auto found = shared_.find(spec); found != shared_.end()) {
        out.insert(out.end(), found->second.begin(), found->second.end());
      } else if (const std::optional<ByteRange> range = range_of(spec)) {
        out.push_back(*range);
      }
    }
    return out;
  }

  std::vector<ByteRange> written_by(const edge::ControlFlow& flow) const {
    std::vector<ByteRange> out;
    for (Graph* outer : flow.graphs) {
      for_each_graph(*outer, [&](const Graph& graph) {
        for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
          for (const SpecId spec : graph.at(id).specs) {
            if (spec == kNoSpec) continue;
            if (const std::optional<ByteRange> range = range_of(spec)) out.push_back(*range);
          }
        }
      });
    }
    return out;
  }

  const Program& program_;
  std::set<SpecId> view_bases_;
  std::map<SpecId, std::vector<ByteRange>> shared_;  // results that share what branches returned
  std::set<SpecId> overwritten_;
};

}  // namespace

std::set<SpecId> find_overwritten_results(const Program& program) { return Finder(program).run(); }

}  // namespace ptec::plan
