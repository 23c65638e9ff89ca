#include <fmt/format.h>
#include <fmt/ranges.h>

#include "inspect/describe.h"
#include "inspect/facts.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

using Out = std::back_insert_iterator<std::string>;

/// "(%0, %1)" and so on: what stands in brackets behind an operator.
std::string arguments_text(const std::vector<std::int32_t>& args,
                           std::size_t begin,
                           std::size_t end) {
  std::string out;
  for (std::size_t i = begin; i < end; ++i)
    out += fmt::format("{}%{}", i == begin ? "" : ", ", args[i]);
  return out;
}

/// A kernel's last argument is its result again. It is shown as the result.
std::string kernel_text(const PtePlan& plan, const PteKernelCall& call) {
  const std::size_t count = call.args.size();
  std::string out = fmt::format("{}({})",
                                printable(plan.operators[call.op_index].full_name()),
                                arguments_text(call.args, 0, count == 0 ? 0 : count - 1));
  if (count != 0) out += fmt::format(" -> %{}", call.args.back());
  return out;
}

std::string delegate_call_text(const PtePlan& plan,
                               const PtePlanFacts& facts,
                               const PteDelegateCall& call) {
  const std::string name = fmt::format("delegate {} {}",
                                       call.delegate_index,
                                       printable(plan.delegates[call.delegate_index].backend_id));
  const auto& blob = facts.delegates[call.delegate_index].blob;
  const std::size_t count = call.args.size();
  if (!blob || blob->input_names.size() > count)
    return fmt::format("{}({})", name, arguments_text(call.args, 0, count));
  const std::size_t inputs = blob->input_names.size();
  return fmt::format("{}({}) -> {}",
                     name,
                     arguments_text(call.args, 0, inputs),
                     arguments_text(call.args, inputs, count));
}

std::string instruction_text(const PtePlan& plan,
                             const PtePlanFacts& facts,
                             const PteInstruction& instruction) {
  if (const auto* call = std::get_if<PteKernelCall>(&instruction)) return kernel_text(plan, *call);
  if (const auto* call = std::get_if<PteDelegateCall>(&instruction))
    return delegate_call_text(plan, facts, *call);
  if (const auto* move = std::get_if<PteMove>(&instruction))
    return fmt::format("move %{} -> %{}", move->from, move->to);
  if (const auto* jump = std::get_if<PteJumpFalse>(&instruction)) {
    return fmt::format("if not %{} go to {}", jump->condition, jump->destination);
  }
  return fmt::format("free %{}", std::get<PteFree>(instruction).value);
}

void print_regions(Out out, const PteFacts& facts) {
  fmt::format_to(out, "\nregions\n{:>14} {:>14}  what\n", "offset", "bytes");
  for (const PteRegion& region : facts.regions) {
    fmt::format_to(out,
                   "{:>14} {:>14}  {}\n",
                   region.range.offset_bytes,
                   region.range.size_bytes,
                   region.what);
  }
}

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

void print_constants(Out out, const PtePlan& plan) {
  bool first = true;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const auto* tensor = std::get_if<PteTensor>(&plan.values[i]);
    if (tensor == nullptr || (!tensor->data && !tensor->external)) continue;
    if (first) fmt::format_to(out, "  constants\n");
    first = false;
    fmt::format_to(out, "    %{} {}, {}", i, tensor_text(*tensor), size_text(tensor->size_bytes));
    if (tensor->external) {
      fmt::format_to(out, ", '{}' of a .ptd file", printable(tensor->fully_qualified_name));
    } else {
      fmt::format_to(out,
                     " at offset {}{}",
                     tensor->data->offset_bytes,
                     tensor->allocation ? ", initial value" : "");
    }
    fmt::format_to(out, "\n");
  }
}

void print_plan(Out out, const PtePlan& plan, const PtePlanFacts& facts) {
  fmt::format_to(out, "\nmethod {}\n  inputs\n", printable(plan.name));
  for (std::size_t i = 0; i < plan.inputs.size(); ++i)
    print_value_line(out, plan, i, plan.inputs[i]);
  fmt::format_to(out, "  outputs\n");
  for (std::size_t i = 0; i < plan.outputs.size(); ++i)
    print_value_line(out, plan, i, plan.outputs[i]);
  print_memory(out, plan);
  for (std::size_t chain = 0; chain < plan.chains.size(); ++chain) {
    fmt::format_to(out, "  instructions{}\n", chain == 0 ? "" : fmt::format(" of chain {}", chain));
    for (std::size_t i = 0; i < plan.chains[chain].size(); ++i) {
      fmt::format_to(
          out, "    {:>3}  {}\n", i, instruction_text(plan, facts, plan.chains[chain][i]));
    }
  }
  if (!plan.delegates.empty()) fmt::format_to(out, "  delegates\n");
  for (std::size_t i = 0; i < plan.delegates.size(); ++i)
    print_delegate(out, plan.delegates[i], facts.delegates[i], i);
  print_constants(out, plan);
  if (facts.copies.to_device_bytes + facts.copies.to_host_bytes != 0) {
    fmt::format_to(out,
                   "  copies in one run: {} to devices, {} to the host\n",
                   size_text(facts.copies.to_device_bytes),
                   size_text(facts.copies.to_host_bytes));
  }
}

}  // namespace

std::string pte_text(const PteFacts& facts) {
  std::string text;
  const Out out = std::back_inserter(text);
  fmt::format_to(out, "{}: ExecuTorch program, {}\n", one_line(facts.path), size_text(facts.file.size_bytes));
  for (const std::string& warning : facts.file.warnings)
    fmt::format_to(out, "warning: {}\n", warning);
  print_regions(out, facts);
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
