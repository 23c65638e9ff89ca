#include <fmt/format.h>
#include <fmt/ranges.h>

#include "inspect/describe.h"
#include "inspect/facts.h"
#include "inspect/pte_instruction_text.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

using Out = std::back_insert_iterator<std::string>;

void print_value_line(Out out, const PtePlan& plan, std::size_t place, std::uint32_t index) {
  const PteValue& value = plan.values[index];
  fmt::format_to(out, "    {}  %{} {}", place, index, value_text(value));
  if (const auto* tensor = std::get_if<PteTensor>(&value)) {
    fmt::format_to(out,
                   ", {}{}",
                   device_text(tensor->device),
                   tensor->allocation || tensor->data ? "" : ", memory from the caller");
  }
  fmt::format_to(out, "\n");
}

void print_delegate(Out out,
                    const PteDelegate& delegate,
                    const PteDelegateFacts& facts,
                    std::size_t index) {
  fmt::format_to(out,
                 "    {}  {}, {} {}, {}",
                 index,
                 printable(delegate.backend_id),
                 delegate.inline_data ? "inline data" : "segment",
                 delegate.index,
                 size_text(delegate.blob.size_bytes));
  if (facts.shared_by > 1) fmt::format_to(out, ", shared by {}", facts.shared_by);
  fmt::format_to(out, "\n");
  for (const PteCompileSpec& spec : delegate.compile_specs) {
    fmt::format_to(out, "       spec {} = '{}'\n", printable(spec.key), printable(spec.value));
  }
  if (!facts.blob) return;
  const TensorRtBlob& blob = *facts.blob;
  fmt::format_to(out,
                 "       {} blob for {}, device {}{}\n",
                 blob.magic,
                 printable(blob.target_platform),
                 blob.device_id,
                 blob.hardware_compatible ? ", hardware compatible" : "");
  fmt::format_to(out,
                 "       inputs: {}\n       outputs: {}\n",
                 names_text(blob.input_names),
                 names_text(blob.output_names));
  for (const BlobAlias& alias : blob.aliased_io) {
    fmt::format_to(out,
                   "       output {} shares memory with input {} ({})\n",
                   printable(alias.output),
                   printable(alias.input),
                   printable(alias.kind));
  }
  fmt::format_to(out,
                 "       engine: {}, {}\n",
                 plan_header_text(blob.plan),
                 size_text(blob.engine.size_bytes));
}

void print_memory(Out out, const PtePlan& plan) {
  fmt::format_to(out, "  memory\n");
  for (std::size_t i = 1; i < plan.arenas.size(); ++i) {
    fmt::format_to(out,
                   "    arena {}  {}  {}\n",
                   i,
                   device_text(plan.arenas[i].device),
                   size_text(plan.arenas[i].size_bytes));
  }
}

/// "at offset 640", "'weight' of a .ptd file": where a tensor's bytes come from.
std::string source_text(const PteTensor& tensor) {
  if (tensor.external)
    return fmt::format("'{}' of a .ptd file", printable(tensor.fully_qualified_name));
  return fmt::format("at offset {}", tensor.data->offset_bytes);
}

void print_state(Out out, const PtePlan& plan, const PtePlanFacts& facts) {
  if (!facts.state.empty()) fmt::format_to(out, "  state\n");
  for (const std::uint32_t index : facts.state) {
    const PteTensor& tensor = std::get<PteTensor>(plan.values[index]);
    const std::string memory = tensor.allocation
                                   ? fmt::format("in arena {}", tensor.allocation->memory_id)
                                   : "in the caller's memory";
    fmt::format_to(out,
                   "    %{} {}, {} {}, {}",
                   index,
                   tensor_text(tensor),
                   size_text(tensor.size_bytes),
                   memory,
                   tensor.data || tensor.external ? "initial value " + source_text(tensor)
                                                  : "no initial value");
    if (!tensor.external && !tensor.fully_qualified_name.empty())
      fmt::format_to(out, ", '{}'", printable(tensor.fully_qualified_name));
    fmt::format_to(out, "\n");
  }
}

void print_constants(Out out, const PtePlan& plan) {
  bool first = true;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const auto* tensor = std::get_if<PteTensor>(&plan.values[i]);
    if (tensor == nullptr || tensor->allocation || (!tensor->data && !tensor->external)) continue;
    if (first) fmt::format_to(out, "  constants\n");
    first = false;
    fmt::format_to(out,
                   "    %{} {}, {}{} {}\n",
                   i,
                   tensor_text(*tensor),
                   size_text(tensor->size_bytes),
                   tensor->external ? "," : "",
                   source_text(*tensor));
  }
}

void print_copies(Out out, const PteCopyFacts& copies) {
  if (copies.each.empty()) return;
  fmt::format_to(out,
                 "  copies in one run: {} to devices, {} to the host\n",
                 size_text(copies.to_device_bytes),
                 size_text(copies.to_host_bytes));
  for (const PteCopy& copy : copies.each) {
    fmt::format_to(out,
                   "    {:>3}{}  %{} -> %{}, {} {}, {}\n",
                   copy.instruction,
                   copy.chain == 0 ? "" : fmt::format(" of chain {}", copy.chain),
                   copy.source,
                   copy.destination,
                   copy.to_device ? "to" : "from",
                   device_text(copy.device),
                   size_text(copy.size_bytes));
  }
}

void print_plan(Out out, const PtePlan& plan, const PtePlanFacts& facts) {
  fmt::format_to(out, "\nmethod {}\n  inputs\n", printable(plan.name));
  for (std::size_t i = 0; i < plan.inputs.size(); ++i)
    print_value_line(out, plan, i, plan.inputs[i]);
  fmt::format_to(out, "  outputs\n");
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    print_value_line(out, plan, i, plan.outputs[i]);
  print_state(out, plan, facts);
  print_memory(out, plan);
  const InstructionPrinter instructions(plan, facts);
  for (std::size_t chain = 0; chain < plan.chains.size(); ++chain) {
    fmt::format_to(out, "  instructions{}\n", chain == 0 ? "" : fmt::format(" of chain {}", chain));
    for (std::size_t i = 0; i < plan.chains[chain].size(); ++i) {
      fmt::format_to(out, "    {:>3}  {}\n", i, instructions.text(plan.chains[chain][i]));
    }
  }
  if (!plan.delegates.empty()) fmt::format_to(out, "  delegates\n");
  for (std::size_t i = 0; i < plan.delegates.size(); ++i)
    print_delegate(out, plan.delegates[i], facts.delegates[i], i);
  print_constants(out, plan);
  print_copies(out, facts.copies);
}

}  // namespace

std::string pte_text(const PteFacts& facts) {
  std::string text;
  const Out out = std::back_inserter(text);
  fmt::format_to(
      out, "{}: ExecuTorch program, {}\n", one_line(facts.path), size_text(facts.file.size_bytes));
  for (const std::string& warning : facts.file.warnings)
    fmt::format_to(out, "warning: {}\n", warning);
  fmt::format_to(out, "\nregions\n{}", regions_text(facts.regions));
  for (const PteNamedData& named : facts.file.named_data) {
    fmt::format_to(out,
                   "named data '{}': segment {}, {}\n",
                   printable(named.key),
                   named.segment,
                   size_text(facts.file.segments[named.segment].size_bytes));
  }
  for (std::size_t i = 0; i < facts.file.plans.size(); ++i)
    print_plan(out, facts.file.plans[i], facts.plans[i]);
  text.pop_back();
  return text;
}

}  // namespace ptec::inspect
