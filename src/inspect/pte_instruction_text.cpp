#include "inspect/pte_instruction_text.h"

#include <fmt/format.h>

#include "inspect/describe.h"
#include "inspect/pte_effects.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

template <typename Items, typename Each>
std::string joined(const Items& items, const Each& each) {
  std::string out;
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += ", ";
    first = false;
    out += each(item);
  }
  return out;
}

/// With a point or an exponent, so that it does not look like an integer.
std::string real_text(double value) {
  std::string out = fmt::format("{}", value);
  if (out.find_first_not_of("-0123456789") == std::string::npos) out += ".0";
  return out;
}

std::string flag_text(bool value) { return value ? "true" : "false"; }

}  // namespace

InstructionPrinter::InstructionPrinter(const PtePlan& plan, const PtePlanFacts& facts)
    : plan_(plan), facts_(facts), computed_(computed_values(plan, facts.delegates)) {}

std::string InstructionPrinter::member_text(std::int64_t index) const {
  return index < 0 ? "none" : read_text(static_cast<std::int32_t>(index));
}

std::string InstructionPrinter::read_text(std::int32_t index) const {
  const auto at = static_cast<std::size_t>(index);
  const PteValue& value = plan_.values[at];
  const auto members = [this](const auto& values) {
    return "[" + joined(values, [this](auto member) { return member_text(member); }) + "]";
  };
  if (computed_[at] || std::holds_alternative<PteTensor>(value)) return fmt::format("%{}", index);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("{}", *number);
  if (const auto* flag = std::get_if<bool>(&value)) return flag_text(*flag);
  if (const auto* real = std::get_if<double>(&value)) return real_text(*real);
  if (const auto* text = std::get_if<std::string>(&value))
    return fmt::format("'{}'", printable(*text));
  if (const auto* ints = std::get_if<PteIntList>(&value)) return members(ints->values);
  if (const auto* tensors = std::get_if<PteTensorList>(&value)) return members(tensors->values);
  if (const auto* tensors = std::get_if<PteOptionalTensorList>(&value))
    return members(tensors->values);
  if (const auto* reals = std::get_if<PteDoubleList>(&value))
    return "[" + joined(reals->items, real_text) + "]";
  if (const auto* flags = std::get_if<PteBoolList>(&value))
    return "[" + joined(flags->items, flag_text) + "]";
  return "none";
}

std::string InstructionPrinter::written_text(std::int32_t index) const {
  const PteValue& value = plan_.values[static_cast<std::size_t>(index)];
  const auto* tensor = std::get_if<PteTensor>(&value);
  if (tensor == nullptr) return fmt::format("%{} {}", index, value_kind_name(value));
  return fmt::format("%{} {}{}",
                     index,
                     tensor_text(*tensor),
                     tensor->device.cuda ? " on " + device_text(tensor->device) : "");
}

std::string InstructionPrinter::call_text(const std::string& name,
                                          const PteInstruction& instruction) const {
  const PteEffects effects = effects_of(plan_, facts_.delegates, instruction);
  const auto read = [this](std::int32_t index) { return read_text(index); };
  const auto written = [this](std::int32_t index) { return written_text(index); };
  if (!effects.either.empty()) return fmt::format("{}({})", name, joined(effects.either, written));
  std::string out = fmt::format("{}({})", name, joined(effects.reads, read));
  if (!effects.writes.empty()) out += " -> " + joined(effects.writes, written);
  return out;
}

std::string InstructionPrinter::text(const PteInstruction& instruction) const {
  if (const auto* call = std::get_if<PteKernelCall>(&instruction))
    return call_text(printable(plan_.operators[call->op_index].full_name()), instruction);
  if (const auto* call = std::get_if<PteDelegateCall>(&instruction)) {
    return call_text(fmt::format("delegate {} {}",
                                 call->delegate_index,
                                 printable(plan_.delegates[call->delegate_index].backend_id)),
                     instruction);
  }
  if (std::holds_alternative<PteMove>(instruction)) return call_text("move", instruction);
  if (const auto* jump = std::get_if<PteJumpFalse>(&instruction))
    return fmt::format("if not %{} go to {}", jump->condition, jump->destination);
  return fmt::format("free %{}", std::get<PteFree>(instruction).value);
}

}  // namespace ptec::inspect
