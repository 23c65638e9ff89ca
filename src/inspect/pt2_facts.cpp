#include <algorithm>
#include <map>

#include "inspect/facts.h"
#include "support/error.h"
#include "tensorrt/engine_calls.h"
#include "torch_export/read.h"

namespace ptec::inspect {
namespace {

PlanHeader plan_of(const Payload& engine) {
  PayloadReader reader(engine, PayloadReader::Check::None);
  const Bytes front = reader.next();
  return read_plan_header(front.first(std::min(front.size(), kPlanHeaderBytes)));
}

/// The custom object that an engine call names; empty when the engine stands in the graph.
std::string fqn_of(const Program& program, const Node& call) {
  std::string out;
  for_each_input(call, [&](NodeId id) {
    if (const auto* object = std::get_if<ObjectRef>(&program.graph.at(id).value.v))
      out = object->fqn;
  });
  return out;
}

/// Every engine once, in the order of first use.
std::vector<EngineFacts> engines_of(const Program& program) {
  std::vector<EngineFacts> out;
  for (const NodeId id : program.graph.order()) {
    const Node& node = program.graph.at(id);
    if (!tensorrt::is_engine_call(node)) continue;
    const Breadcrumb here("node", node.name);
    const std::string fqn = fqn_of(program, node);
    const auto known = std::find_if(out.begin(), out.end(), [&fqn](const EngineFacts& facts) {
      return !fqn.empty() && facts.fqn == fqn;
    });
    if (known != out.end()) {
      known->users.push_back(node.name);
      continue;
    }
    EngineFacts facts;
    facts.fqn = fqn;
    const auto object = program.objects.find(fqn);
    facts.encoding = object == program.objects.end() ? archive::EngineEncoding::GraphStrings
                                                     : object->second.encoding;
    facts.record = tensorrt::record_of(program, node);
    facts.plan = plan_of(facts.record.engine);
    facts.users = {node.name};
    out.push_back(std::move(facts));
  }
  return out;
}

std::vector<std::pair<std::string, std::size_t>> operators_of(const Program& program) {
  std::map<std::string, std::size_t> counts;
  for (const NodeId id : program.graph.order()) {
    const Node& node = program.graph.at(id);
    if (node.kind == NodeKind::Call) ++counts[node.target];
  }
  return {counts.begin(), counts.end()};
}

}  // namespace

Pt2Facts gather_pt2_facts(const std::string& path, InputFile file) {
  Pt2Facts out{path, archive::Pt2Archive::from_file(std::move(file)), {}};
  const Breadcrumb here("archive", out.path);
  for (const std::string& name : out.archive.model_names()) {
    ModelFacts& model = out.models.emplace_back();
    model.name = name;
    model.program = read_program(out.archive, name);
    model.operators = operators_of(model.program);
    model.engines = engines_of(model.program);
  }
  return out;
}

}  // namespace ptec::inspect
