#include <fmt/format.h>

#include "inspect/describe.h"
#include "inspect/facts.h"
#include "inspect/pt2_words.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

using Out = std::back_insert_iterator<std::string>;

void print_inputs(Out out, const Program& program) {
  fmt::format_to(out, "  inputs\n");
  for (const InputSpec& input : program.inputs) {
    if (input.kind != InputKind::UserInput && input.kind != InputKind::ConstantInput) continue;
    const std::string& name =
        input.node == kNoNode ? input.name : program.graph.at(input.node).name;
    fmt::format_to(out,
                   "    {}: {}\n",
                   printable(name),
                   input.kind == InputKind::UserInput
                       ? item_text(program, program.graph.at(input.node).value)
                       : "always " + result_text(program, input.constant));
  }
}

void print_outputs(Out out, const Program& program) {
  fmt::format_to(out, "  outputs\n");
  if (program.graph.last() == kNoNode) return;
  const Node& output = program.graph.at(program.graph.last());
  const Argument::List* results = output.args.empty() ? nullptr : output.args[0].list();
  if (output.kind != NodeKind::Output || results == nullptr) return;
  for (std::size_t i = 0; i < results->size() && i < program.outputs.size(); ++i) {
    const OutputSpec& spec = program.outputs[i];
    fmt::format_to(
        out,
        "    {}{}{}\n",
        result_text(program, (*results)[i]),
        spec.kind == OutputKind::UserOutput ? "" : fmt::format(", {}", output_kind_name(spec.kind)),
        spec.target.empty() ? "" : fmt::format(" of '{}'", printable(spec.target)));
  }
}

void print_ranges(Out out, const Program& program) {
  if (program.ranges.empty()) return;
  fmt::format_to(out, "  sizes\n");
  for (const auto& [symbol, range] : program.ranges)
    fmt::format_to(out, "    {}: {}\n", symbol, range_text(range));
}

void print_operators(Out out, const ModelFacts& model) {
  fmt::format_to(out, "  operators\n");
  for (const auto& [target, count] : model.operators)
    fmt::format_to(out, "    {:>5}  {}\n", count, printable(target));
}

void print_constants(Out out, const Program& program) {
  bool first = true;
  for (const InputSpec& input : program.inputs) {
    const auto data = program.tensors.find(input.target);
    if (data == program.tensors.end()) continue;
    if (first) fmt::format_to(out, "  constants\n");
    first = false;
    fmt::format_to(out,
                   "    {} '{}': {}, {}\n",
                   input_kind_name(input.kind),
                   printable(input.target),
                   tensor_text(program, data->second.meta),
                   size_text(tensor_size_bytes(data->second)));
  }
}

void print_engine(Out out, const EngineFacts& engine) {
  const tensorrt::EngineRecord& record = engine.record;
  fmt::format_to(out,
                 "    {}: {}, {}\n",
                 engine.fqn.empty() ? "in the graph" : "'" + printable(engine.fqn) + "'",
                 plan_header_text(engine.plan),
                 size_text(record.engine.size_bytes()));
  fmt::format_to(out,
                 "       {}, record version {}, name '{}'\n",
                 archive::engine_encoding_name(engine.encoding),
                 record.abi_version,
                 printable(record.name));
  fmt::format_to(out,
                 "       built for {}, device {} {} (compute capability {}.{}){}\n",
                 printable(record.target_platform),
                 record.device.id,
                 printable(record.device.name),
                 record.device.major,
                 record.device.minor,
                 record.device.type == 0 ? "" : ", DLA");
  fmt::format_to(out,
                 "       inputs: {}\n       outputs: {}\n",
                 names_text(record.input_names),
                 names_text(record.output_names));
  for (const tensorrt::EngineAlias& alias : record.aliased_io) {
    fmt::format_to(out,
                   "       output {} shares memory with input {} ({})\n",
                   printable(record.output_names[alias.output]),
                   printable(record.input_names[alias.input]),
                   tensorrt::alias_kind_name(alias.kind));
  }
  std::vector<std::string> flags;
  if (record.hardware_compatible) flags.emplace_back("hardware compatible");
  if (record.requires_output_allocator) flags.emplace_back("needs an output allocator");
  if (record.dynamic_resource_allocation) flags.emplace_back("allocates resources dynamically");
  if (record.multi_device) flags.emplace_back("several devices");
  fmt::format_to(out, "       flags: {}\n", names_text(flags));
  fmt::format_to(out,
                 "       used by {}{}\n",
                 names_text(engine.users),
                 engine.users.size() > 1 ? fmt::format(": shared by {}", engine.users.size()) : "");
}

void print_model(Out out, const ModelFacts& model) {
  fmt::format_to(out,
                 "\nprogram {}, torch {}, {} nodes\n",
                 printable(model.name),
                 model.program.torch_version.empty() ? "of unknown version"
                                                     : printable(model.program.torch_version),
                 model.program.graph.size());
  print_inputs(out, model.program);
  print_outputs(out, model.program);
  print_ranges(out, model.program);
  print_operators(out, model);
  print_constants(out, model.program);
  if (!model.engines.empty()) fmt::format_to(out, "  engines\n");
  for (const EngineFacts& engine : model.engines) print_engine(out, engine);
}

}  // namespace

std::string pt2_text(const Pt2Facts& facts) {
  std::string text;
  const Out out = std::back_inserter(text);
  fmt::format_to(out,
                 "{}: torch.export archive, {}, {} members under '{}/'\n",
                 one_line(facts.path),
                 size_text(facts.archive.file().size_bytes()),
                 facts.archive.entries().size(),
                 printable(facts.archive.root()));
  for (const ModelFacts& model : facts.models) print_model(out, model);
  text.pop_back();
  return text;
}

}  // namespace ptec::inspect
