#include "edge/nested_graphs.h"

#include <utility>
#include <vector>

#include "ir/subgraphs.h"
#include "ops/control_flow.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

/// Gives the program another graph and signature, and the old ones back at the end.
class AsMethod {
 public:
  AsMethod(Program& program, Graph& graph) : program_(program), graph_(graph) {
    for (const NodeId id : graph.inputs) {
      InputSpec input;
      input.node = id;
      input.name = graph.at(id).name;
      inputs_.push_back(std::move(input));
    }
    outputs_.resize(results_of(graph).size());
    swap();
  }
  AsMethod(const AsMethod&) = delete;
  AsMethod& operator=(const AsMethod&) = delete;
  ~AsMethod() { swap(); }

 private:
  void swap() {
    std::swap(program_.graph, graph_);
    std::swap(program_.inputs, inputs_);
    std::swap(program_.outputs, outputs_);
  }

  Program& program_;
  Graph& graph_;
  std::vector<InputSpec> inputs_;
  std::vector<OutputSpec> outputs_;
};

void run_inside(Program& program,
                const Node& outer,
                Graph& graph,
                const std::function<void(Program&)>& pass) {
  const Breadcrumb here("node", outer.name);
  const std::size_t inputs = graph.inputs.size();
  const std::size_t outputs = results_of(graph).size();
  {
    const AsMethod method(program, graph);
    pass(program);
    if (program.inputs.size() != inputs || program.outputs.size() != outputs) {
      fail(ErrorCode::Unsupported,
           "a graph of control flow writes to what it is given; return the new value instead");
    }
  }
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    for_each_subgraph(graph.at(id),
                      [&](Graph& inner) { run_inside(program, graph.at(id), inner, pass); });
  }
}

}  // namespace

void in_every_graph(Program& program, const std::function<void(Program&)>& pass) {
  pass(program);
  Graph& graph = program.graph;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    for_each_subgraph(graph.at(id),
                      [&](Graph& inner) { run_inside(program, graph.at(id), inner, pass); });
  }
}

}  // namespace ptec::edge
