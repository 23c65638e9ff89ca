#include "pte/pte_decode.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "pte_generated.h"
#include "support/error.h"
#include "support/limits.h"

namespace ptec::inspect {
namespace {

namespace fb = executorch_flatbuffer;

template <typename T>
using TableList = flatbuffers::Vector<flatbuffers::Offset<T>>;

constexpr flatbuffers::uoffset_t kMaxDepth = 64;  // the runtime's own bound; the schema needs 7

class Decoder {
 public:
  Decoder(const std::uint8_t* start, std::size_t size_bytes)
      : start_(start), budget_bytes_(std::uint64_t{4} * size_bytes + 4096) {}

  void program(const fb::Program& in, PteFile& out);

 private:
  /// Parts of a flatbuffer may be shared, so that a small file can claim a huge program. No writer
  /// of .pte files shares anything but vtables, so the parts' sizes can add up to the file's size
  /// at most; some room is left for others.
  void spend(std::uint64_t size_bytes) {
    if (size_bytes > budget_bytes_) {
      fail(ErrorCode::Malformed,
           "flatbuffer uses the same bytes over and over: its content is many times its size");
    }
    budget_bytes_ -= size_bytes;
  }

  std::string text(const flatbuffers::String* in) {
    if (in == nullptr) return {};
    spend(in->size());
    return in->str();
  }

  template <typename Out, typename In>
  std::vector<Out> numbers(const flatbuffers::Vector<In>& in) {
    spend(std::uint64_t{sizeof(In)} * in.size());
    std::vector<Out> out;
    out.reserve(in.size());
    // The verifier aligns the length of a list, not its elements.
    for (flatbuffers::uoffset_t i = 0; i < in.size(); ++i) {
      In value{};
      std::memcpy(&value, in.Data() + std::size_t{i} * sizeof(In), sizeof(In));
      out.push_back(static_cast<Out>(flatbuffers::EndianScalar(value)));
    }
    return out;
  }

  /// Calls `each(table, index)` for a list of tables. A null entry is refused: accessors would take
  /// the entry itself for a table.
  template <typename T, typename Each>
  void tables(const TableList<T>* in, std::string_view what, const Each& each) {
    if (in == nullptr) return;
    spend(std::uint64_t{sizeof(flatbuffers::uoffset_t)} * in->size());
    for (flatbuffers::uoffset_t i = 0; i < in->size(); ++i) {
      const auto* entry = in->Data() + std::size_t{i} * sizeof(flatbuffers::uoffset_t);
      if (flatbuffers::ReadScalar<flatbuffers::uoffset_t>(entry) == 0) {
        fail(ErrorCode::Malformed, fmt::format("{} {} is null", what, i));
      }
      each(*in->Get(i), std::size_t{i});
    }
  }

  PteSubsegments subsegments(const fb::SubsegmentOffsets& in, std::string_view what);
  FileRange segment(const fb::DataSegment& in, std::size_t index, const PteFile& out);
  void segments(const fb::Program& in, PteFile& out);
  PtePlan plan(const fb::ExecutionPlan& in, std::size_t index);
  PteValue value(const fb::EValue& in, std::size_t index);
  PteTensor tensor(const fb::Tensor& in, std::size_t index);
  void tensor_extra(const fb::ExtraTensorInfo& in, std::size_t index, PteTensor& out);
  PteInstruction instruction(const fb::Instruction& in, std::size_t index);
  PteDelegate delegate(const fb::BackendDelegate& in, std::size_t index);
  void arenas(const fb::ExecutionPlan& in, PtePlan& out);

  const std::uint8_t* start_;  // of the flatbuffer, and of the file
  std::uint64_t budget_bytes_;
};

/// A field that the runtime reads without asking whether it is there.
template <typename T>
const T& required(const T* field, std::string_view what) {
  if (field == nullptr) fail(ErrorCode::Malformed, fmt::format("{} is missing", what));
  return *field;
}

/// An index that the format stores with a sign.
std::uint32_t index_of(std::int32_t stored, std::string_view what) {
  if (stored < 0)
    fail(ErrorCode::Malformed, fmt::format("{} is {}, wanted an index", what, stored));
  return static_cast<std::uint32_t>(stored);
}

PteDevice device_of(fb::DeviceType type, std::int8_t index, std::string_view what) {
  if (type != fb::DeviceType::CPU && type != fb::DeviceType::CUDA) {
    fail(ErrorCode::Unsupported,
         fmt::format("{}: device type {} is not known", what, static_cast<int>(type)));
  }
  if (index < 0) fail(ErrorCode::Malformed, fmt::format("{}: device index is {}", what, index));
  return {type == fb::DeviceType::CUDA, index};
}

PteSubsegments Decoder::subsegments(const fb::SubsegmentOffsets& in, std::string_view what) {
  PteSubsegments out;
  out.segment = in.segment_index();
  out.offsets_bytes =
      numbers<std::uint64_t>(required(in.offsets(), fmt::format("{}.offsets", what)));
  return out;
}

FileRange Decoder::segment(const fb::DataSegment& in, std::size_t index, const PteFile& out) {
  const std::uint64_t available = out.segment_data_size_bytes;
  if (in.offset() > available || in.size() > available - in.offset()) {
    fail(ErrorCode::Malformed,
         fmt::format(
             "segment {}: offset {} and size {} pass the end of the {} bytes of segment data",
             index,
             in.offset(),
             in.size(),
             available));
  }
  return {out.segment_base_bytes + in.offset(), in.size()};
}

void Decoder::segments(const fb::Program& in, PteFile& out) {
  tables(in.segments(), "segment", [&](const fb::DataSegment& item, std::size_t i) {
    if (out.header_size_bytes == 0 && item.size() != 0) {
      fail(
          ErrorCode::Malformed,
          fmt::format("segment {} has {} bytes, but there is no extended header 'eh00' at offset 8",
                      i,
                      item.size()));
    }
    out.segments.push_back(segment(item, i, out));
  });
}

void Decoder::program(const fb::Program& in, PteFile& out) {
  out.version = in.version();
  if (out.version != 0) {
    fail(ErrorCode::Unsupported,
         fmt::format("program version is {}; ExecuTorch 1.4 and 1.5, and so ptec, know 0",
                     out.version));
  }
  if (in.constant_buffer() != nullptr && in.constant_buffer()->size() != 0) {
    fail(ErrorCode::Unsupported,
         fmt::format("constant_buffer holds {} constants inside the flatbuffer; ExecuTorch 1.4 and "
                     "1.5 want them in a segment",
                     in.constant_buffer()->size()));
  }
  segments(in, out);
  out.constants =
      subsegments(required(in.constant_segment(), "constant_segment"), "constant_segment");
  if (out.constants.offsets_bytes.empty())
    fail(ErrorCode::Malformed, "constant_segment.offsets is empty, wanted a placeholder");
  tables(in.mutable_data_segments(),
         "mutable_data_segments",
         [&](const fb::SubsegmentOffsets& item, std::size_t) {
           out.mutable_data.push_back(subsegments(item, "mutable_data_segments"));
         });
  tables(in.named_data(), "named_data", [&](const fb::NamedData& item, std::size_t i) {
    PteNamedData named;
    named.key = text(&required(item.key(), fmt::format("key of named_data {}", i)));
    named.segment = item.segment_index();
    out.named_data.push_back(std::move(named));
  });
  tables(in.backend_delegate_data(),
         "backend_delegate_data",
         [&](const fb::BackendDelegateInlineData& item, std::size_t i) {
           const auto& data =
               required(item.data(), fmt::format("data of backend_delegate_data {}", i));
           out.inline_delegate_data.push_back(
               {static_cast<std::uint64_t>(data.Data() - start_), data.size()});
         });
  required(in.execution_plan(), "execution_plan");
  tables(in.execution_plan(), "execution_plan", [&](const fb::ExecutionPlan& item, std::size_t i) {
    out.plans.push_back(plan(item, i));
  });
}

PtePlan Decoder::plan(const fb::ExecutionPlan& in, std::size_t index) {
  PtePlan out;
  out.name = text(&required(in.name(), fmt::format("name of execution_plan {}", index)));
  if (out.name.empty())
    fail(ErrorCode::Malformed, fmt::format("name of execution_plan {} is empty", index));
  const Breadcrumb here("method", out.name);
  if (const auto* containers = in.container_meta_type()) {
    out.encoded_inputs = text(containers->encoded_inp_str());
    out.encoded_outputs = text(containers->encoded_out_str());
  }
  required(in.values(), "values");
  tables(in.values(), "value", [&](const fb::EValue& item, std::size_t i) {
    out.values.push_back(value(item, i));
  });
  for (const std::int32_t item : numbers<std::int32_t>(required(in.inputs(), "inputs"))) {
    out.inputs.push_back(index_of(item, "entry of inputs"));
  }
  for (const std::int32_t item : numbers<std::int32_t>(required(in.outputs(), "outputs"))) {
    out.outputs.push_back(index_of(item, "entry of outputs"));
  }
  tables(in.operators(), "operator", [&](const fb::Operator& item, std::size_t i) {
    PteOperator op;
    op.name = text(&required(item.name(), fmt::format("name of operator {}", i)));
    op.overload = text(item.overload());
    out.operators.push_back(std::move(op));
  });
  required(in.delegates(), "delegates");
  tables(in.delegates(), "delegate", [&](const fb::BackendDelegate& item, std::size_t i) {
    out.delegates.push_back(delegate(item, i));
  });
  required(in.chains(), "chains");
  tables(in.chains(), "chain", [&](const fb::Chain& item, std::size_t i) {
    auto& chain = out.chains.emplace_back();
    required(item.instructions(), fmt::format("instructions of chain {}", i));
    tables(item.instructions(), "instruction", [&](const fb::Instruction& inner, std::size_t k) {
      chain.push_back(instruction(inner, k));
    });
  });
  if (out.chains.empty()) fail(ErrorCode::Malformed, "chains is empty, wanted at least one");
  arenas(in, out);
  return out;
}

void Decoder::arenas(const fb::ExecutionPlan& in, PtePlan& out) {
  for (const std::int64_t size :
       numbers<std::int64_t>(required(in.non_const_buffer_sizes(), "non_const_buffer_sizes"))) {
    if (size < 0) {
      fail(ErrorCode::Malformed,
           fmt::format("non_const_buffer_sizes[{}] is {}", out.arenas.size(), size));
    }
    out.arenas.push_back({static_cast<std::uint64_t>(size), {}});
  }
  if (out.arenas.empty())
    fail(ErrorCode::Malformed, "non_const_buffer_sizes is empty, wanted a reserved first entry");
  tables(in.non_const_buffer_device(),
         "non_const_buffer_device",
         [&](const fb::NonConstBufferDevice& item, std::size_t i) {
           const std::uint32_t arena =
               index_of(item.buffer_idx(), "buffer_idx of non_const_buffer_device");
           if (arena == 0 || arena >= out.arenas.size()) {
             fail(ErrorCode::Malformed,
                  fmt::format("non_const_buffer_device {}: buffer_idx is {}, wanted 1 to {}",
                              i,
                              arena,
                              out.arenas.size() - 1));
           }
           out.arenas[arena].device =
               device_of(item.device_type(), item.device_index(), fmt::format("arena {}", arena));
         });
}

PteValue Decoder::value(const fb::EValue& in, std::size_t index) {
  if (in.val_type() == fb::KernelTypes::NONE)
    fail(ErrorCode::Malformed, fmt::format("value {} has no kind", index));
  if (in.val() == nullptr)
    fail(ErrorCode::Malformed, fmt::format("value {} has a kind but no content", index));
  const auto items = [index](const auto* list) -> const auto& {
    return required(list, fmt::format("items of value {}", index));
  };
  switch (in.val_type()) {
    case fb::KernelTypes::Null:
      return PteNull{};
    case fb::KernelTypes::Int:
      return in.val_as_Int()->int_val();
    case fb::KernelTypes::Bool:
      return in.val_as_Bool()->bool_val();
    case fb::KernelTypes::Double:
      return in.val_as_Double()->double_val();
    case fb::KernelTypes::Tensor:
      return tensor(*in.val_as_Tensor(), index);
    case fb::KernelTypes::String:
      return text(&items(in.val_as_String()->string_val()));
    case fb::KernelTypes::IntList:
      return PteIntList{numbers<std::int64_t>(items(in.val_as_IntList()->items()))};
    case fb::KernelTypes::DoubleList:
      return PteDoubleList{numbers<double>(items(in.val_as_DoubleList()->items()))};
    case fb::KernelTypes::BoolList:
      return PteBoolList{numbers<bool>(items(in.val_as_BoolList()->items()))};
    case fb::KernelTypes::TensorList:
      return PteTensorList{numbers<std::int32_t>(items(in.val_as_TensorList()->items()))};
    case fb::KernelTypes::OptionalTensorList:
      return PteOptionalTensorList{
          numbers<std::int32_t>(items(in.val_as_OptionalTensorList()->items()))};
    case fb::KernelTypes::NONE:
      break;
  }
  fail(ErrorCode::Unsupported,
       fmt::format("value {}: kind {} is not known", index, static_cast<int>(in.val_type())));
}

void check_dim_order(const PteTensor& tensor, std::size_t index) {
  if (tensor.dim_order.size() != tensor.sizes.size()) {
    fail(ErrorCode::Malformed,
         fmt::format("value {}: dim_order has {} entries for {} sizes",
                     index,
                     tensor.dim_order.size(),
                     tensor.sizes.size()));
  }
  std::uint32_t seen = 0;
  for (const std::uint8_t dim : tensor.dim_order) {
    if (dim >= tensor.sizes.size() || ((seen >> dim) & 1u) != 0) {
      fail(ErrorCode::Malformed,
           fmt::format(
               "value {}: dim_order is no permutation: {} is repeated or too large", index, dim));
    }
    seen |= 1u << dim;
  }
}

std::uint64_t size_of(const PteTensor& tensor, std::size_t index) {
  std::uint64_t size = tensor.dtype->element_size_bytes;
  for (const std::int32_t dim : tensor.sizes) {
    if (dim < 0) fail(ErrorCode::Malformed, fmt::format("value {}: a size is {}", index, dim));
    const auto product = checked_mul(size, static_cast<std::uint64_t>(dim));
    // The runtime counts in signed 64 bits, and so does everything behind it.
    if (!product ||
        *product > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      fail(ErrorCode::Malformed,
           fmt::format("value {}: the product of its sizes passes 2^63 bytes", index));
    }
    size = *product;
  }
  return size;
}

PteTensor Decoder::tensor(const fb::Tensor& in, std::size_t index) {
  PteTensor out;
  out.dtype = find_pte_dtype(static_cast<int>(in.scalar_type()));
  if (out.dtype == nullptr) {
    fail(ErrorCode::Malformed,
         fmt::format(
             "value {}: scalar_type {} is not known", index, static_cast<int>(in.scalar_type())));
  }
  if (in.storage_offset() != 0) {
    fail(ErrorCode::Malformed,
         fmt::format("value {}: storage_offset is {}, wanted 0", index, in.storage_offset()));
  }
  if (in.layout() != 0)
    fail(ErrorCode::Unsupported,
         fmt::format("value {}: layout {} is not strided", index, in.layout()));
  out.sizes = numbers<std::int32_t>(required(in.sizes(), fmt::format("sizes of value {}", index)));
  if (out.sizes.size() > kMaxPteRank) {
    fail(ErrorCode::Malformed,
         fmt::format(
             "value {}: rank is {}, wanted at most {}", index, out.sizes.size(), kMaxPteRank));
  }
  out.dim_order =
      numbers<std::uint8_t>(required(in.dim_order(), fmt::format("dim_order of value {}", index)));
  check_dim_order(out, index);
  out.size_bytes = size_of(out, index);
  switch (in.shape_dynamism()) {
    case fb::TensorShapeDynamism::STATIC:
      break;
    case fb::TensorShapeDynamism::DYNAMIC_BOUND:
      out.dynamic = true;
      break;
    case fb::TensorShapeDynamism::DYNAMIC_UNBOUND:
      fail(ErrorCode::Unsupported,
           fmt::format("value {}: sizes without bounds, which no portable runtime takes", index));
    default:
      fail(ErrorCode::Malformed,
           fmt::format("value {}: shape_dynamism {} is not known",
                       index,
                       static_cast<int>(in.shape_dynamism())));
  }
  out.requires_grad = in.requires_grad();
  out.data_buffer_index = in.data_buffer_idx();
  if (const auto* place = in.allocation_info()) {
    out.allocation = PteAllocation{
        place->memory_id(),
        (std::uint64_t{place->memory_offset_high()} << 32) | place->memory_offset_low()};
  }
  if (const auto* extra = in.extra_tensor_info()) tensor_extra(*extra, index, out);
  return out;
}

void Decoder::tensor_extra(const fb::ExtraTensorInfo& in, std::size_t index, PteTensor& out) {
  out.fully_qualified_name = text(in.fully_qualified_name());
  out.device = device_of(in.device_type(), in.device_index(), fmt::format("value {}", index));
  if (in.location() != fb::TensorDataLocation::SEGMENT &&
      in.location() != fb::TensorDataLocation::EXTERNAL) {
    fail(ErrorCode::Malformed,
         fmt::format("value {}: location {} is not known", index, static_cast<int>(in.location())));
  }
  out.external = in.location() == fb::TensorDataLocation::EXTERNAL;
  if (out.external && out.fully_qualified_name.empty()) {
    fail(ErrorCode::Malformed,
         fmt::format("value {} is external but has no fully_qualified_name to look up", index));
  }
}

PteInstruction Decoder::instruction(const fb::Instruction& in, std::size_t index) {
  const auto where = [index](std::string_view field) {
    return fmt::format("{} of instruction {}", field, index);
  };
  if (in.instr_args_type() != fb::InstructionArguments::NONE && in.instr_args() == nullptr) {
    fail(ErrorCode::Malformed, fmt::format("instruction {} has a kind but no content", index));
  }
  switch (in.instr_args_type()) {
    case fb::InstructionArguments::KernelCall: {
      const auto& call = *in.instr_args_as_KernelCall();
      return PteKernelCall{index_of(call.op_index(), where("op_index")),
                           numbers<std::int32_t>(required(call.args(), where("args")))};
    }
    case fb::InstructionArguments::DelegateCall: {
      const auto& call = *in.instr_args_as_DelegateCall();
      return PteDelegateCall{index_of(call.delegate_index(), where("delegate_index")),
                             numbers<std::int32_t>(required(call.args(), where("args")))};
    }
    case fb::InstructionArguments::MoveCall: {
      const auto& move = *in.instr_args_as_MoveCall();
      return PteMove{index_of(move.move_from(), where("move_from")),
                     index_of(move.move_to(), where("move_to"))};
    }
    case fb::InstructionArguments::JumpFalseCall: {
      const auto& jump = *in.instr_args_as_JumpFalseCall();
      return PteJumpFalse{
          index_of(jump.cond_value_index(), where("cond_value_index")),
          index_of(jump.destination_instruction(), where("destination_instruction"))};
    }
    case fb::InstructionArguments::FreeCall:
      return PteFree{index_of(in.instr_args_as_FreeCall()->value_index(), where("value_index"))};
    case fb::InstructionArguments::NONE:
      fail(ErrorCode::Malformed, fmt::format("instruction {} has no kind", index));
  }
  fail(ErrorCode::Unsupported,
       fmt::format(
           "instruction {}: kind {} is not known", index, static_cast<int>(in.instr_args_type())));
}

PteDelegate Decoder::delegate(const fb::BackendDelegate& in, std::size_t index) {
  PteDelegate out;
  out.backend_id = text(&required(in.id(), fmt::format("id of delegate {}", index)));
  const auto& processed = required(in.processed(), fmt::format("processed of delegate {}", index));
  if (processed.location() != fb::DataLocation::INLINE &&
      processed.location() != fb::DataLocation::SEGMENT) {
    fail(ErrorCode::Malformed,
         fmt::format("delegate {}: location {} is not known",
                     index,
                     static_cast<int>(processed.location())));
  }
  out.inline_data = processed.location() == fb::DataLocation::INLINE;
  out.index = processed.index();
  tables(in.compile_specs(), "compile spec", [&](const fb::CompileSpec& item, std::size_t i) {
    PteCompileSpec spec;
    spec.key =
        text(&required(item.key(), fmt::format("key of compile spec {} of delegate {}", i, index)));
    const auto& bytes =
        required(item.value(), fmt::format("value of compile spec {} of delegate {}", i, index));
    const std::vector<char> copied = numbers<char>(bytes);
    spec.value.assign(copied.begin(), copied.end());
    out.compile_specs.push_back(std::move(spec));
  });
  return out;
}

}  // namespace

void decode_pte_program(Bytes flatbuffer, PteFile& out) {
  const auto* const data =
      static_cast<const std::uint8_t*>(static_cast<const void*>(flatbuffer.data()));
  // A table needs 8 bytes when none is shared: its offset to the vtable, and an offset that leads
  // to it.
  const auto max_tables = static_cast<flatbuffers::uoffset_t>(flatbuffer.size() / 8 + 16);
  flatbuffers::Verifier verifier(data, flatbuffer.size(), kMaxDepth, max_tables);
  if (!fb::VerifyProgramBuffer(verifier)) {
    fail(ErrorCode::Malformed,
         fmt::format("flatbuffer of {} bytes is broken or cut off: an offset, size or alignment in "
                     "it is wrong",
                     flatbuffer.size()));
  }
  Decoder(data, flatbuffer.size()).program(*fb::GetProgram(data), out);
}

}  // namespace ptec::inspect
