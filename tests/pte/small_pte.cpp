#include "tests/pte/small_pte.h"

#include <flatbuffers/flatbuffers.h>

#include <cstring>

#include "layout/pte_header.h"
#include "pte_generated.h"

namespace ptec::test {
namespace {

namespace fb = executorch_flatbuffer;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

constexpr std::size_t kHeaderBytes = sizeof(PteExtendedHeader);
constexpr std::size_t kSegmentAlignment = 128;

Offset<fb::EValue> planned_tensor(FlatBufferBuilder& builder,
                                  const SmallPte& in,
                                  std::uint32_t offset) {
  const auto place =
      fb::CreateAllocationDetails(builder, in.memory_id, offset, in.memory_offset_high);
  const auto tensor =
      fb::CreateTensorDirect(builder,
                             static_cast<fb::ScalarType>(in.scalar_type),
                             in.storage_offset,
                             &in.sizes,
                             &in.dim_order,
                             false,
                             0,
                             place,
                             0,
                             static_cast<fb::TensorShapeDynamism>(in.shape_dynamism));
  return fb::CreateEValue(builder, fb::KernelTypes::Tensor, tensor.Union());
}

Offset<fb::EValue> constant_tensor(FlatBufferBuilder& builder, const SmallPte& in) {
  const std::vector<std::int32_t> sizes = {2};
  const std::vector<std::uint8_t> dim_order = {0};
  const auto tensor = fb::CreateTensorDirect(
      builder, fb::ScalarType::FLOAT, 0, &sizes, &dim_order, false, in.data_buffer_idx);
  return fb::CreateEValue(builder, fb::KernelTypes::Tensor, tensor.Union());
}

std::vector<Offset<fb::EValue>> values_of(FlatBufferBuilder& builder, const SmallPte& in) {
  std::vector<Offset<fb::EValue>> out;
  out.push_back(planned_tensor(builder, in, 0));
  out.push_back(constant_tensor(builder, in));
  const auto alpha = fb::CreateInt(builder, 1);
  out.push_back(fb::CreateEValue(
      builder, in.alpha_has_kind ? fb::KernelTypes::Int : fb::KernelTypes::NONE, alpha.Union()));
  out.push_back(planned_tensor(builder, in, 16));
  const auto ints = fb::CreateIntListDirect(builder, in.int_list ? &*in.int_list : nullptr);
  out.push_back(fb::CreateEValue(builder, fb::KernelTypes::IntList, ints.Union()));
  const auto tensors = fb::CreateTensorListDirect(builder, &in.tensor_list);
  out.push_back(fb::CreateEValue(builder, fb::KernelTypes::TensorList, tensors.Union()));
  return out;
}

std::vector<Offset<fb::Instruction>> instructions_of(FlatBufferBuilder& builder,
                                                     const SmallPte& in) {
  std::vector<Offset<fb::Instruction>> out;
  const auto call = fb::CreateKernelCallDirect(builder, in.op_index, &in.args);
  out.push_back(fb::CreateInstruction(builder, fb::InstructionArguments::KernelCall, call.Union()));
  for (int i = 0; i < in.shared_calls; ++i) out.push_back(out.front());
  if (in.jump_destination) {
    const auto jump = fb::CreateJumpFalseCall(builder, 2, *in.jump_destination);
    out.push_back(
        fb::CreateInstruction(builder, fb::InstructionArguments::JumpFalseCall, jump.Union()));
  }
  return out;
}

Offset<fb::ExecutionPlan> plan_of(FlatBufferBuilder& builder,
                                  const SmallPte& in,
                                  const std::optional<std::string>& name) {
  const auto values = values_of(builder, in);
  const auto instructions = instructions_of(builder, in);
  const std::vector<Offset<fb::Chain>> chains = {fb::CreateChainDirect(
      builder, nullptr, nullptr, in.has_instructions ? &instructions : nullptr)};
  const std::vector<Offset<fb::Operator>> operators = {fb::CreateOperatorDirect(
      builder, in.operator_name ? in.operator_name->c_str() : nullptr, "out")};
  std::vector<Offset<fb::BackendDelegate>> delegates;
  if (in.delegate_segment) {
    const auto place = fb::CreateBackendDelegateDataReference(
        builder, fb::DataLocation::SEGMENT, *in.delegate_segment);
    const std::vector<Offset<fb::CompileSpec>> specs;
    delegates.push_back(fb::CreateBackendDelegateDirect(builder, "SomeBackend", place, &specs));
  }
  return fb::CreateExecutionPlanDirect(builder,
                                       name ? name->c_str() : nullptr,
                                       0,
                                       &values,
                                       in.inputs ? &*in.inputs : nullptr,
                                       in.outputs ? &*in.outputs : nullptr,
                                       in.has_chains ? &chains : nullptr,
                                       &operators,
                                       in.has_delegates ? &delegates : nullptr,
                                       in.arenas ? &*in.arenas : nullptr);
}

void append_file(std::vector<std::byte>& file, const void* data, std::size_t size) {
  const auto* const bytes = static_cast<const std::byte*>(data);
  file.insert(file.end(), bytes, bytes + size);
}

}  // namespace

std::vector<std::byte> SmallPte::build() const {
  FlatBufferBuilder builder;
  std::vector<Offset<fb::ExecutionPlan>> plans;
  for (const std::optional<std::string>& name : method_names)
    plans.push_back(plan_of(builder, *this, name));
  const std::vector<Offset<fb::DataSegment>> segments = {
      fb::CreateDataSegment(builder, segment_offset, segment_size)};
  Offset<fb::SubsegmentOffsets> constants;
  if (constant_offsets)
    constants = fb::CreateSubsegmentOffsetsDirect(builder, constant_segment, &*constant_offsets);
  std::vector<Offset<fb::NamedData>> named;
  for (const std::string& key : named_data)
    named.push_back(fb::CreateNamedDataDirect(builder, key.c_str(), 0));
  builder.Finish(fb::CreateProgramDirect(builder,
                                         version,
                                         &plans,
                                         nullptr,
                                         nullptr,
                                         &segments,
                                         constants,
                                         nullptr,
                                         named.empty() ? nullptr : &named),
                 fb::ProgramIdentifier());

  const std::uint8_t* const flatbuffer = builder.GetBufferPointer();
  const std::size_t size = builder.GetSize();
  const std::size_t base =
      (size + kHeaderBytes + kSegmentAlignment - 1) / kSegmentAlignment * kSegmentAlignment;
  PteExtendedHeader header{};
  std::memcpy(header.magic.data(), kPteExtendedHeaderMagic.data(), header.magic.size());
  header.length = static_cast<std::uint32_t>(kHeaderBytes);
  header.program_size = size + kHeaderBytes;
  header.segment_base_offset = base;
  header.segment_data_size = 8;
  std::uint32_t root = 0;
  std::memcpy(&root, flatbuffer, sizeof(root));
  const le32 shifted = root + static_cast<std::uint32_t>(kHeaderBytes);

  std::vector<std::byte> file;
  append_file(file, &shifted, sizeof(shifted));
  append_file(file, flatbuffer + 4, 4);
  append_file(file, &header, sizeof(header));
  append_file(file, flatbuffer + 8, size - 8);
  file.resize(base);
  const float weights[2] = {10.0F, 20.0F};
  append_file(file, weights, sizeof(weights));
  return file;
}

}  // namespace ptec::test
