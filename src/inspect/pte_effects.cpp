#include "inspect/pte_effects.h"

#include <algorithm>

namespace ptec::inspect {
namespace {

using Indices = std::vector<std::int32_t>;

Indices results_of(const PtePlan& plan, std::int32_t last) {
  const PteValue& value = plan.values[static_cast<std::size_t>(last)];
  if (const auto* list = std::get_if<PteTensorList>(&value)) return list->values;
  return {last};
}

/// The emitter appends the result to the arguments. In out form these end with the same values
/// again; an operator that writes in place has its result among the first ones and reads it too.
PteEffects kernel_effects(const PtePlan& plan, const Indices& args) {
  PteEffects out;
  if (args.empty()) return out;
  out.writes = results_of(plan, args.back());
  out.reads.assign(args.begin(), args.end() - 1);
  const auto count = static_cast<std::ptrdiff_t>(out.writes.size());
  if (std::ssize(out.reads) >= count &&
      std::equal(out.writes.begin(), out.writes.end(), out.reads.end() - count)) {
    out.reads.erase(out.reads.end() - count, out.reads.end());
  }
  return out;
}

/// A tensor list that is read has its members read.
template <typename Each>
void for_each_tensor(const PtePlan& plan, const Indices& indices, const Each& each) {
  for (const std::int32_t index : indices) {
    const PteValue& value = plan.values[static_cast<std::size_t>(index)];
    const Indices* members = nullptr;
    if (const auto* list = std::get_if<PteTensorList>(&value)) members = &list->values;
    if (const auto* list = std::get_if<PteOptionalTensorList>(&value)) members = &list->values;
    if (members == nullptr) {
      each(static_cast<std::size_t>(index));
      continue;
    }
    for (const std::int32_t member : *members) {
      if (member >= 0) each(static_cast<std::size_t>(member));
    }
  }
}

template <typename Each>
void for_each_effect(const PtePlan& plan,
                     const std::vector<PteDelegateFacts>& delegates,
                     const Each& each) {
  for (const auto& chain : plan.chains) {
    for (const PteInstruction& instruction : chain) each(effects_of(plan, delegates, instruction));
  }
}

/// For every value, whether the first instruction that touches it reads it.
std::vector<bool> read_before_written(const PtePlan& plan,
                                      const std::vector<PteDelegateFacts>& delegates) {
  std::vector<bool> out(plan.values.size(), false);
  std::vector<bool> touched(plan.values.size(), false);
  for_each_effect(plan, delegates, [&](const PteEffects& effects) {
    for_each_tensor(plan, effects.reads, [&](std::size_t index) {
      if (!touched[index]) out[index] = true;
      touched[index] = true;
    });
    for_each_tensor(plan, effects.writes, [&](std::size_t index) { touched[index] = true; });
    for_each_tensor(plan, effects.either, [&](std::size_t index) { touched[index] = true; });
  });
  return out;
}

}  // namespace

PteEffects effects_of(const PtePlan& plan,
                      const std::vector<PteDelegateFacts>& delegates,
                      const PteInstruction& instruction) {
  PteEffects out;
  if (const auto* call = std::get_if<PteKernelCall>(&instruction))
    return kernel_effects(plan, call->args);
  if (const auto* call = std::get_if<PteDelegateCall>(&instruction)) {
    const auto& blob = delegates[call->delegate_index].blob;
    if (!blob || blob->input_names.size() > call->args.size()) {
      out.either = call->args;
    } else {
      const auto split = call->args.begin() + static_cast<std::ptrdiff_t>(blob->input_names.size());
      out.reads.assign(call->args.begin(), split);
      out.writes.assign(split, call->args.end());
    }
  } else if (const auto* move = std::get_if<PteMove>(&instruction)) {
    out.reads = {static_cast<std::int32_t>(move->from)};
    out.writes = {static_cast<std::int32_t>(move->to)};
  } else if (const auto* jump = std::get_if<PteJumpFalse>(&instruction)) {
    out.reads = {static_cast<std::int32_t>(jump->condition)};
  }
  return out;
}

std::vector<bool> computed_values(const PtePlan& plan,
                                  const std::vector<PteDelegateFacts>& delegates) {
  std::vector<bool> out(plan.values.size(), false);
  for (const std::uint32_t index : plan.inputs) out[index] = true;
  for_each_effect(plan, delegates, [&out](const PteEffects& effects) {
    for (const std::int32_t index : effects.writes) out[static_cast<std::size_t>(index)] = true;
    for (const std::int32_t index : effects.either) out[static_cast<std::size_t>(index)] = true;
  });
  return out;
}

std::vector<std::uint32_t> state_values(const PtePlan& plan,
                                        const std::vector<PteDelegateFacts>& delegates) {
  const std::vector<bool> early = read_before_written(plan, delegates);
  std::vector<bool> given(plan.values.size(), false);
  for (const std::uint32_t index : plan.inputs) given[index] = true;
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const auto* tensor = std::get_if<PteTensor>(&plan.values[i]);
    if (tensor == nullptr || given[i]) continue;
    const bool has_bytes = tensor->data.has_value() || tensor->external;
    const bool named = !tensor->fully_qualified_name.empty() && !has_bytes;
    if (named || (tensor->allocation && (has_bytes || early[i])))
      out.push_back(static_cast<std::uint32_t>(i));
  }
  return out;
}

}  // namespace ptec::inspect
