#include "pte/pte_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "support/bytes.h"
#include "support/error.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

constexpr std::size_t kMaxOperatorNameBytes =
    99;  // the runtime joins name and overload in a buffer of 100

void check_index(std::uint64_t index, std::size_t count, std::string_view what) {
  if (index >= count)
    fail(ErrorCode::Malformed, fmt::format("{} is {}, but there are only {}", what, index, count));
}

/// A list of offsets into a segment. A list of the placeholder alone needs no segment.
void check_subsegments(const PteFile& file, const PteSubsegments& part, std::string_view what) {
  if (part.offsets_bytes.size() <= 1) return;
  check_index(part.segment, file.segments.size(), fmt::format("segment_index of {}", what));
  const std::uint64_t size = file.segments[part.segment].size_bytes;
  for (std::size_t i = 0; i < part.offsets_bytes.size(); ++i) {
    if (part.offsets_bytes[i] > size) {
      fail(ErrorCode::Malformed,
           fmt::format("{}: offset {} is {}, but segment {} has {} bytes",
                       what,
                       i,
                       part.offsets_bytes[i],
                       part.segment,
                       size));
    }
  }
}

FileRange data_of(const PteFile& file,
                  const PteSubsegments& part,
                  const PteTensor& tensor,
                  std::size_t index,
                  std::string_view what) {
  check_index(tensor.data_buffer_index,
              part.offsets_bytes.size(),
              fmt::format("data_buffer_idx of value {} in {}", index, what));
  const FileRange& segment = file.segments[part.segment];
  const std::uint64_t offset = part.offsets_bytes[tensor.data_buffer_index];
  if (tensor.size_bytes > segment.size_bytes - offset) {
    fail(ErrorCode::Malformed,
         fmt::format("value {} needs {} bytes at offset {} of {}, which has {}",
                     index,
                     tensor.size_bytes,
                     offset,
                     what,
                     segment.size_bytes));
  }
  return {segment.offset_bytes + offset, tensor.size_bytes};
}

class PlanChecker {
 public:
  PlanChecker(const PteFile& file, PtePlan& plan) : file_(file), plan_(plan) {}

  void run() {
    for (std::size_t i = 0; i < plan_.values.size(); ++i) check_value(i);
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i)
      check_index(plan_.inputs[i], plan_.values.size(), fmt::format("input {}", i));
    for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
      check_index(plan_.outputs[i], plan_.values.size(), fmt::format("output {}", i));
    }
    for (std::size_t i = 0; i < plan_.operators.size(); ++i) check_operator(i);
    for (std::size_t i = 0; i < plan_.delegates.size(); ++i) check_delegate(i);
    for (const auto& chain : plan_.chains) {
      for (std::size_t i = 0; i < chain.size(); ++i) check_instruction(chain, i);
    }
    if (plan_.arenas.front().size_bytes != 0) {
      fail(ErrorCode::Malformed,
           fmt::format("non_const_buffer_sizes[0] is {}, wanted 0: it is reserved",
                       plan_.arenas.front().size_bytes));
    }
  }

 private:
  void check_value(std::size_t index) {
    if (auto* tensor = std::get_if<PteTensor>(&plan_.values[index])) check_tensor(*tensor, index);
    if (const auto* list = std::get_if<PteIntList>(&plan_.values[index])) {
      for (const std::int64_t item : list->values) check_int_item(item, index);
    }
    if (const auto* list = std::get_if<PteTensorList>(&plan_.values[index])) {
      for (const std::int32_t item : list->values) check_tensor_item(item, index, false);
    }
    if (const auto* list = std::get_if<PteOptionalTensorList>(&plan_.values[index])) {
      for (const std::int32_t item : list->values) check_tensor_item(item, index, true);
    }
  }

  void check_int_item(std::int64_t item, std::size_t index) {
    if (item < 0 || static_cast<std::uint64_t>(item) >= plan_.values.size()) {
      fail(ErrorCode::Malformed,
           fmt::format("value {}: item is {}, wanted the index of one of {} values",
                       index,
                       item,
                       plan_.values.size()));
    }
    const PteValue& value = plan_.values[static_cast<std::size_t>(item)];
    if (!std::holds_alternative<std::int64_t>(value)) {
      fail(ErrorCode::Malformed,
           fmt::format("value {}: item is value {}, which is a {}, wanted an int",
                       index,
                       item,
                       value_kind_name(value)));
    }
  }

  void check_tensor_item(std::int32_t item, std::size_t index, bool optional) {
    if (optional && item == -1) return;
    // The runtime resolves these lists while it reads the values in order.
    if (item < 0 || static_cast<std::size_t>(item) >= index) {
      fail(ErrorCode::Malformed,
           fmt::format("value {}: item is {}, wanted the index of an earlier value", index, item));
    }
    const PteValue& value = plan_.values[static_cast<std::size_t>(item)];
    if (std::holds_alternative<PteTensor>(value) ||
        (optional && std::holds_alternative<PteNull>(value)))
      return;
    fail(ErrorCode::Malformed,
         fmt::format("value {}: item is value {}, which is a {}, wanted a tensor",
                     index,
                     item,
                     value_kind_name(value)));
  }

  void check_tensor(PteTensor& tensor, std::size_t index) {
    if (tensor.allocation) {
      const auto& [memory_id, offset] = *tensor.allocation;
      if (memory_id == 0 || memory_id >= plan_.arenas.size()) {
        fail(ErrorCode::Malformed,
             fmt::format("value {}: memory_id is {}, wanted 1 to {}",
                         index,
                         memory_id,
                         plan_.arenas.size() - 1));
      }
      const std::uint64_t arena = plan_.arenas[memory_id].size_bytes;
      if (offset > arena || tensor.size_bytes > arena - offset) {
        fail(ErrorCode::Malformed,
             fmt::format("value {}: {} bytes at offset {} pass the end of arena {}, which has {}",
                         index,
                         tensor.size_bytes,
                         offset,
                         memory_id,
                         arena));
      }
    }
    if (tensor.external || tensor.data_buffer_index == 0) return;
    if (!tensor.allocation) {
      tensor.data = data_of(file_, file_.constants, tensor, index, "constant_segment");
    } else if (file_.mutable_data.empty()) {
      fail(ErrorCode::Malformed,
           fmt::format("value {} has an initial value, but there is no mutable_data_segments",
                       index));
    } else {
      tensor.data =
          data_of(file_, file_.mutable_data.front(), tensor, index, "mutable_data_segments");
    }
  }

  void check_operator(std::size_t index) {
    const std::size_t size = plan_.operators[index].full_name().size();
    if (plan_.operators[index].name.empty() || size > kMaxOperatorNameBytes) {
      fail(ErrorCode::Malformed,
           fmt::format("operator {}: name has {} bytes, wanted 1 to {}",
                       index,
                       size,
                       kMaxOperatorNameBytes));
    }
  }

  void check_delegate(std::size_t index) {
    PteDelegate& delegate = plan_.delegates[index];
    if (delegate.backend_id.empty())
      fail(ErrorCode::Malformed, fmt::format("delegate {}: id is empty", index));
    const std::vector<FileRange>& list =
        delegate.inline_data ? file_.inline_delegate_data : file_.segments;
    check_index(delegate.index,
                list.size(),
                fmt::format("delegate {}: index of its {}",
                            index,
                            delegate.inline_data ? "inline data" : "segment"));
    delegate.blob = list[delegate.index];
  }

  void check_args(const std::vector<std::int32_t>& args, std::size_t index) {
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (args[i] < 0 || static_cast<std::size_t>(args[i]) >= plan_.values.size()) {
        fail(ErrorCode::Malformed,
             fmt::format("instruction {}: argument {} is {}, wanted the index of one of {} values",
                         index,
                         i,
                         args[i],
                         plan_.values.size()));
      }
    }
  }

  void check_value_index(std::uint32_t value, std::size_t index, std::string_view field) {
    check_index(value, plan_.values.size(), fmt::format("instruction {}: {}", index, field));
  }

  void check_instruction(const std::vector<PteInstruction>& chain, std::size_t index) {
    const PteInstruction& instruction = chain[index];
    if (const auto* call = std::get_if<PteKernelCall>(&instruction)) {
      check_index(
          call->op_index, plan_.operators.size(), fmt::format("instruction {}: op_index", index));
      check_args(call->args, index);
    } else if (const auto* delegate = std::get_if<PteDelegateCall>(&instruction)) {
      check_index(delegate->delegate_index,
                  plan_.delegates.size(),
                  fmt::format("instruction {}: delegate_index", index));
      check_args(delegate->args, index);
    } else if (const auto* move = std::get_if<PteMove>(&instruction)) {
      check_value_index(move->from, index, "move_from");
      check_value_index(move->to, index, "move_to");
    } else if (const auto* jump = std::get_if<PteJumpFalse>(&instruction)) {
      check_value_index(jump->condition, index, "cond_value_index");
      // One past the last is fine: it ends the chain.
      check_index(jump->destination,
                  chain.size() + 1,
                  fmt::format("instruction {}: destination_instruction", index));
    } else if (const auto* free = std::get_if<PteFree>(&instruction)) {
      check_value_index(free->value, index, "value_index");
    }
  }

  const PteFile& file_;
  PtePlan& plan_;
};

void check_named_data(const PteFile& file) {
  std::set<std::string_view> keys;
  for (const PteNamedData& named : file.named_data) {
    if (!keys.insert(named.key).second) {
      fail(ErrorCode::Malformed,
           fmt::format("named_data has the key '{}' twice", printable(named.key)));
    }
    check_index(named.segment,
                file.segments.size(),
                fmt::format("segment_index of named_data '{}'", printable(named.key)));
  }
}

}  // namespace

void check_pte_program(PteFile& file) {
  check_subsegments(file, file.constants, "constant_segment");
  for (const PteSubsegments& part : file.mutable_data)
    check_subsegments(file, part, "mutable_data_segments");
  check_named_data(file);
  std::set<std::string_view> names;
  for (PtePlan& plan : file.plans) {
    const Breadcrumb here("method", plan.name);
    if (!names.insert(plan.name).second) fail(ErrorCode::Malformed, "two methods have this name");
    PlanChecker(file, plan).run();
  }
}

}  // namespace ptec::inspect
