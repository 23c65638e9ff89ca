#include "emit/flatbuffer.h"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "pte_generated.h"
#include "support/error.h"

namespace ptec::emit {
namespace {

namespace fb = executorch_flatbuffer;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
template <typename T>
using VectorOffset = Offset<flatbuffers::Vector<T>>;

constexpr std::size_t kMaxFlatBufferBytes =
    (std::size_t{1} << 31) - 1;  // its offsets are signed 32-bit

/// Python's builder aligns a vector to its items even when it is empty; C++'s does not.
template <typename T>
VectorOffset<T> create_vector(FlatBufferBuilder& builder, const std::vector<T>& items) {
  if (items.empty() && sizeof(T) > sizeof(flatbuffers::uoffset_t)) builder.Align(sizeof(T));
  return builder.CreateVector(items);
}

class Writer {
 public:
  Writer(const std::vector<Method>& methods, const SegmentTable& segments)
      : methods_(methods), segments_(segments) {}

  std::vector<std::byte> run() {
    std::vector<Offset<fb::ExecutionPlan>> plans;
    for (std::size_t i = 0; i < methods_.size(); ++i) {
      const Breadcrumb here("method", methods_[i].name);
      plans.push_back(plan(methods_[i], segments_.delegate_segments[i]));
    }
    const auto plan_vector = builder_.CreateVector(plans);
    const auto constant_buffer = builder_.CreateVector(std::vector<Offset<fb::Buffer>>{});
    const auto inline_data =
        builder_.CreateVector(std::vector<Offset<fb::BackendDelegateInlineData>>{});
    const auto segment_vector = data_segments();
    const auto constant_segment = subsegments(0, segments_.constant_offsets);
    const auto initial_values = mutable_data();
    fb::ProgramBuilder program(builder_);
    program.add_version(0);
    program.add_execution_plan(plan_vector);
    program.add_constant_buffer(constant_buffer);
    program.add_backend_delegate_data(inline_data);
    program.add_segments(segment_vector);
    program.add_constant_segment(constant_segment);
    if (!initial_values.IsNull()) program.add_mutable_data_segments(initial_values);
    builder_.Finish(program.Finish(), fb::ProgramIdentifier());
    const Bytes bytes = std::as_bytes(std::span(builder_.GetBufferPointer(), builder_.GetSize()));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  }

 private:
  VectorOffset<Offset<fb::DataSegment>> data_segments() {
    std::vector<Offset<fb::DataSegment>> out;
    for (const Segment& segment : segments_.segments) {
      fb::DataSegmentBuilder table(builder_);
      table.add_offset(segment.offset_bytes);
      table.add_size(segment.size_bytes);
      out.push_back(table.Finish());
    }
    return builder_.CreateVector(out);
  }

  Offset<fb::SubsegmentOffsets> subsegments(std::uint32_t segment,
                                            const std::vector<std::uint64_t>& all) {
    const auto offsets = create_vector(builder_, all);
    fb::SubsegmentOffsetsBuilder table(builder_);
    table.add_segment_index(segment);
    table.add_offsets(offsets);
    return table.Finish();
  }

  VectorOffset<Offset<fb::SubsegmentOffsets>> mutable_data() {
    if (segments_.initial_offsets.empty()) return {};
    return builder_.CreateVector(
        std::vector<Offset<fb::SubsegmentOffsets>>{subsegments(1, segments_.initial_offsets)});
  }

  Offset<fb::ExecutionPlan> plan(const Method& method,
                                 const std::vector<std::uint32_t>& delegate_segments) {
    const auto name = builder_.CreateString(method.name);
    const auto container = container_metadata(method);
    std::vector<Offset<fb::EValue>> values;
    values.reserve(method.values.size());
    for (const EValue& value : method.values) {
      check_size();
      values.push_back(evalue(method, value));
    }
    const auto value_vector = builder_.CreateVector(values);
    const auto inputs = create_vector(builder_, method.inputs);
    const auto outputs = create_vector(builder_, method.outputs);
    const auto chains = builder_.CreateVector(std::vector<Offset<fb::Chain>>{chain(method)});
    const auto operators = operator_table(method);
    const auto delegates = delegate_table(method, delegate_segments);
    std::vector<std::int64_t> sizes;
    for (const Arena& arena : method.exec->arenas)
      sizes.push_back(static_cast<std::int64_t>(arena.size_bytes));
    const auto size_vector = create_vector(builder_, sizes);
    const auto devices = arena_devices(method);

    fb::ExecutionPlanBuilder table(builder_);
    table.add_name(name);
    table.add_container_meta_type(container);
    table.add_values(value_vector);
    table.add_inputs(inputs);
    table.add_outputs(outputs);
    table.add_chains(chains);
    table.add_operators(operators);
    table.add_delegates(delegates);
    table.add_non_const_buffer_sizes(size_vector);
    if (!devices.IsNull()) table.add_non_const_buffer_device(devices);
    return table.Finish();
  }

  Offset<fb::ContainerMetadata> container_metadata(const Method& method) {
    const auto input = builder_.CreateString(method.input_tree);
    const auto output = builder_.CreateString(method.output_tree);
    fb::ContainerMetadataBuilder table(builder_);
    table.add_encoded_inp_str(input);
    table.add_encoded_out_str(output);
    return table.Finish();
  }

  Offset<fb::EValue> wrap(fb::KernelTypes type, Offset<void> payload) {
    fb::EValueBuilder table(builder_);
    table.add_val_type(type);
    table.add_val(payload);
    return table.Finish();
  }

  template <typename Builder, typename T>
  Offset<void> scalar_table(void (Builder::*add)(T), T value) {
    Builder table(builder_);
    (table.*add)(value);
    return table.Finish().Union();
  }

  template <typename Builder, typename T>
  Offset<void> list_table(const std::vector<T>& items) {
    const auto vector = create_vector(builder_, items);
    Builder table(builder_);
    table.add_items(vector);
    return table.Finish().Union();
  }

  Offset<fb::EValue> evalue(const Method& method, const EValue& value) {
    struct Visitor {
      Writer& w;
      const Method& method;
      Offset<fb::EValue> operator()(const None&) const {
        return w.wrap(fb::KernelTypes::Null, fb::NullBuilder(w.builder_).Finish().Union());
      }
      Offset<fb::EValue> operator()(std::int64_t number) const {
        return w.wrap(fb::KernelTypes::Int, w.scalar_table(&fb::IntBuilder::add_int_val, number));
      }
      Offset<fb::EValue> operator()(bool flag) const {
        return w.wrap(fb::KernelTypes::Bool, w.scalar_table(&fb::BoolBuilder::add_bool_val, flag));
      }
      Offset<fb::EValue> operator()(double real) const {
        return w.wrap(fb::KernelTypes::Double,
                      w.scalar_table(&fb::DoubleBuilder::add_double_val, real));
      }
      Offset<fb::EValue> operator()(const std::string& text) const {
        const auto string = w.builder_.CreateString(text);
        fb::StringBuilder table(w.builder_);
        table.add_string_val(string);
        return w.wrap(fb::KernelTypes::String, table.Finish().Union());
      }
      Offset<fb::EValue> operator()(const TensorValue& tensor) const {
        return w.wrap(fb::KernelTypes::Tensor,
                      w.tensor(method.exec->spec(tensor.spec), tensor).Union());
      }
      Offset<fb::EValue> operator()(const AbsentTensor&) const {
        TensorSpec spec;
        spec.dtype = ScalarType::UInt8;
        spec.sizes = {Dim(0)};
        spec.dim_order = {0};
        return w.wrap(fb::KernelTypes::Tensor, w.tensor(spec, TensorValue{}).Union());
      }
      Offset<fb::EValue> operator()(const IntList& list) const {
        return w.wrap(fb::KernelTypes::IntList, w.list_table<fb::IntListBuilder>(list.items));
      }
      Offset<fb::EValue> operator()(const DoubleList& list) const {
        return w.wrap(fb::KernelTypes::DoubleList, w.list_table<fb::DoubleListBuilder>(list.items));
      }
      Offset<fb::EValue> operator()(const BoolList& list) const {
        const auto vector = w.builder_.CreateVector(list.items);
        fb::BoolListBuilder table(w.builder_);
        table.add_items(vector);
        return w.wrap(fb::KernelTypes::BoolList, table.Finish().Union());
      }
      Offset<fb::EValue> operator()(const TensorList& list) const {
        return w.wrap(fb::KernelTypes::TensorList, w.list_table<fb::TensorListBuilder>(list.items));
      }
      Offset<fb::EValue> operator()(const OptionalTensorList& list) const {
        return w.wrap(fb::KernelTypes::OptionalTensorList,
                      w.list_table<fb::OptionalTensorListBuilder>(list.items));
      }
    };
    return std::visit(Visitor{*this, method}, value);
  }

  Offset<fb::Tensor> tensor(const TensorSpec& spec, const TensorValue& value) {
    std::vector<std::int32_t> sizes;
    for (const Dim& dim : spec.sizes) {
      if (dim.number() > std::numeric_limits<std::int32_t>::max()) {
        fail(ErrorCode::Limit,
             fmt::format("a dimension of {} passes 2^31 - 1, the most a .pte can hold",
                         dim.number()));
      }
      sizes.push_back(static_cast<std::int32_t>(dim.number()));
    }
    const auto size_vector = create_vector(builder_, sizes);
    const auto dim_order = create_vector(builder_, spec.dim_order);
    Offset<fb::AllocationDetails> allocation;
    if (spec.memory_id != 0) {
      fb::AllocationDetailsBuilder table(builder_);
      table.add_memory_id(spec.memory_id);
      table.add_memory_offset_low(static_cast<std::uint32_t>(spec.memory_offset_bytes));
      table.add_memory_offset_high(static_cast<std::uint32_t>(spec.memory_offset_bytes >> 32));
      allocation = table.Finish();
    }
    Offset<fb::ExtraTensorInfo> extra;
    if (!value.external_name.empty()) {
      const auto name = builder_.CreateString(value.external_name);
      fb::ExtraTensorInfoBuilder table(builder_);
      table.add_fully_qualified_name(name);
      table.add_location(fb::TensorDataLocation::EXTERNAL);
      extra = table.Finish();
    } else if (spec.cuda_index) {
      fb::ExtraTensorInfoBuilder table(builder_);
      table.add_device_type(fb::DeviceType::CUDA);
      table.add_device_index(static_cast<std::int8_t>(*spec.cuda_index));
      extra = table.Finish();
    }
    fb::TensorBuilder table(builder_);
    table.add_scalar_type(static_cast<fb::ScalarType>(info(spec.dtype).pte_code));
    table.add_storage_offset(0);
    table.add_sizes(size_vector);
    table.add_dim_order(dim_order);
    table.add_requires_grad(spec.requires_grad);
    table.add_data_buffer_idx(value.constant_index);
    if (!allocation.IsNull()) table.add_allocation_info(allocation);
    table.add_layout(0);
    table.add_shape_dynamism(spec.dynamic ? fb::TensorShapeDynamism::DYNAMIC_BOUND
                                          : fb::TensorShapeDynamism::STATIC);
    if (!extra.IsNull()) table.add_extra_tensor_info(extra);
    return table.Finish();
  }

  Offset<fb::Chain> chain(const Method& method) {
    const auto inputs = create_vector(builder_, std::vector<std::int32_t>{});
    const auto outputs = create_vector(builder_, std::vector<std::int32_t>{});
    std::vector<Offset<fb::Instruction>> instructions;
    instructions.reserve(method.instructions.size());
    for (const Instruction& item : method.instructions) {
      check_size();
      instructions.push_back(instruction(item));
    }
    const auto vector = builder_.CreateVector(instructions);
    fb::ChainBuilder table(builder_);
    table.add_inputs(inputs);
    table.add_outputs(outputs);
    table.add_instructions(vector);
    return table.Finish();
  }

  Offset<fb::Instruction> instruction(const Instruction& item) {
    fb::InstructionArguments type = fb::InstructionArguments::KernelCall;
    Offset<void> payload;
    if (const auto* kernel = std::get_if<KernelCall>(&item)) {
      const auto args = create_vector(builder_, kernel->args);
      fb::KernelCallBuilder table(builder_);
      table.add_op_index(kernel->operator_index);
      table.add_args(args);
      payload = table.Finish().Union();
    } else if (const auto* move = std::get_if<MoveCall>(&item)) {
      fb::MoveCallBuilder table(builder_);
      table.add_move_from(move->from);
      table.add_move_to(move->to);
      payload = table.Finish().Union();
      type = fb::InstructionArguments::MoveCall;
    } else if (const auto* jump = std::get_if<JumpFalseCall>(&item)) {
      fb::JumpFalseCallBuilder table(builder_);
      table.add_cond_value_index(jump->condition);
      table.add_destination_instruction(jump->destination);
      payload = table.Finish().Union();
      type = fb::InstructionArguments::JumpFalseCall;
    } else {
      const auto& call = std::get<DelegateCall>(item);
      const auto args = create_vector(builder_, call.args);
      fb::DelegateCallBuilder table(builder_);
      table.add_delegate_index(call.delegate_index);
      table.add_args(args);
      payload = table.Finish().Union();
      type = fb::InstructionArguments::DelegateCall;
    }
    fb::InstructionBuilder table(builder_);
    table.add_instr_args_type(type);
    table.add_instr_args(payload);
    return table.Finish();
  }

  VectorOffset<Offset<fb::Operator>> operator_table(const Method& method) {
    std::vector<Offset<fb::Operator>> out;
    for (const Operator& op : method.operators) {
      const auto name = builder_.CreateString(op.name);
      const auto overload = builder_.CreateString(op.overload);
      fb::OperatorBuilder table(builder_);
      table.add_name(name);
      table.add_overload(overload);
      out.push_back(table.Finish());
    }
    return builder_.CreateVector(out);
  }

  VectorOffset<Offset<fb::BackendDelegate>> delegate_table(
      const Method& method, const std::vector<std::uint32_t>& segments) {
    std::vector<Offset<fb::BackendDelegate>> out;
    for (std::size_t i = 0; i < method.delegates.size(); ++i) {
      const Delegate& delegate = method.exec->delegates[method.delegates[i]];
      const auto id = builder_.CreateString(delegate.backend_id);
      fb::BackendDelegateDataReferenceBuilder reference(builder_);
      reference.add_location(fb::DataLocation::SEGMENT);
      reference.add_index(segments[i]);
      const auto processed = reference.Finish();
      std::vector<Offset<fb::CompileSpec>> specs;
      for (const CompileSpec& spec : delegate.compile_specs) specs.push_back(compile_spec(spec));
      const auto spec_vector = builder_.CreateVector(specs);
      fb::BackendDelegateBuilder table(builder_);
      table.add_id(id);
      table.add_processed(processed);
      table.add_compile_specs(spec_vector);
      out.push_back(table.Finish());
    }
    return builder_.CreateVector(out);
  }

  Offset<fb::CompileSpec> compile_spec(const CompileSpec& spec) {
    const auto key = builder_.CreateString(spec.key);
    const std::string_view value = as_text(spec.value);
    const auto bytes = builder_.CreateVector(std::vector<std::uint8_t>(value.begin(), value.end()));
    fb::CompileSpecBuilder table(builder_);
    table.add_key(key);
    table.add_value(bytes);
    return table.Finish();
  }

  VectorOffset<Offset<fb::NonConstBufferDevice>> arena_devices(const Method& method) {
    std::vector<Offset<fb::NonConstBufferDevice>> out;
    for (std::size_t i = 0; i < method.exec->arenas.size(); ++i) {
      if (!method.exec->arenas[i].cuda_index) continue;
      fb::NonConstBufferDeviceBuilder table(builder_);
      table.add_buffer_idx(static_cast<std::int32_t>(i));
      table.add_device_type(fb::DeviceType::CUDA);
      table.add_device_index(static_cast<std::int8_t>(*method.exec->arenas[i].cuda_index));
      out.push_back(table.Finish());
    }
    return out.empty() ? VectorOffset<Offset<fb::NonConstBufferDevice>>()
                       : builder_.CreateVector(out);
  }

  /// The builder only asserts on its 2 GiB limit, so it is stopped well before.
  void check_size() const {
    if (builder_.GetSize() > kMaxFlatBufferBytes - (std::size_t{64} << 20)) {
      fail(ErrorCode::Limit,
           "the program passes 2 GiB without its data, the most that a flatbuffer can hold");
    }
  }

  const std::vector<Method>& methods_;
  const SegmentTable& segments_;
  FlatBufferBuilder builder_;
};

}  // namespace

std::vector<std::byte> emit_flatbuffer(const std::vector<Method>& methods,
                                       const SegmentTable& segments) {
  return Writer(methods, segments).run();
}

}  // namespace ptec::emit
