#include "plan/plan.h"

#include <gtest/gtest.h>

#include "exec/devices.h"
#include "exec/out_variants.h"
#include "exec/specs.h"
#include "ir/text.h"
#include "ptec/error.h"

namespace ptec::plan {
namespace {

TEST(PlanMemory, PlansTheReferencesOffsetsForAChain) {
  // The program of the `zero_engine` fixture; the offsets are those of its .pte.
  Program program = parse_program(R"(
    method forward(%w: f32[4,8] parameter "weight", %b: f32[8] buffer "bias", %x: f32[2,4]) {
      %mm: f32[2,8] = aten::mm.default(%x, %w)
      %add: f32[2,8] = aten::add.Tensor(%mm, %b)
      %relu: f32[2,8] = aten::relu.default(%add)
      %cumsum: f32[2,8] = aten::cumsum.default(%relu, 1)
      %topk: (f32[2,3], i64[2,3]) = aten::topk.default(%relu, 3, 1)
      %values: f32[2,3] = getitem(%topk, 0)
      %indices: i64[2,3] = getitem(%topk, 1)
      return (%cumsum, %indices)
    })");
  edge::make_specs(program);
  edge::to_out_variants(program);
  const std::vector<Arena> arenas = plan_memory(program);
  ASSERT_EQ(arenas.size(), 2u);
  EXPECT_EQ(arenas[0].size_bytes, 0u);
  EXPECT_EQ(arenas[1].size_bytes, 208u);
  std::vector<std::uint64_t> offsets;
  for (const TensorSpec& spec : program.specs) {
    if (!spec.constant) offsets.push_back(spec.memory_offset_bytes);
  }
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 64, 0, 64, 0, 176, 128}));
}

TEST(PlanMemory, KeepsAReturnedResultOnTheDeviceAliveToTheEnd) {
  // %a0 is returned and copied back right after the first call; the reference still counts it as
  // alive during the second.
  Program program = parse_program(R"(
    method forward(%x: f32[8]) {
      %a: (f32[8], f32[8]) = delegate::call(0, %x)
      %a0: f32[8] = getitem(%a, 0)
      %a1: f32[8] = getitem(%a, 1)
      %b: (f32[8]) = delegate::call(1, %a1)
      %b0: f32[8] = getitem(%b, 0)
      return (%a0, %b0)
    })");
  Delegate delegate;
  delegate.compile_specs = {
      {"target_device", {std::byte{'c'}, std::byte{'u'}, std::byte{'d'}, std::byte{'a'}}}};
  program.delegates = {delegate, delegate};
  edge::make_specs(program);
  edge::place_devices(program);
  edge::to_out_variants(program);
  const std::vector<Arena> arenas = plan_memory(program);
  ASSERT_EQ(arenas.size(), 3u);
  EXPECT_EQ(arenas[2].cuda_index, 0);
  const SpecId a0{1};  // behind the spec of %x
  const SpecId b0{3};
  EXPECT_NE(program.spec(a0).memory_offset_bytes, program.spec(b0).memory_offset_bytes);
}

TEST(PlanMemory, KeepsOneArenaWhenNothingIsPlanned) {
  Program program = parse_program(R"(
    method forward(%w: f32[4] parameter "w") {
      return (%w)
    })");
  edge::make_specs(program);
  const std::vector<Arena> arenas = plan_memory(program);
  ASSERT_EQ(arenas.size(), 2u);
  EXPECT_EQ(arenas[1].size_bytes, 0u);
}

TEST(TensorSize, bad_SizeOver63BitsIsALimit) {
  TensorSpec spec;
  spec.sizes = {Dim(std::int64_t{1} << 40), Dim(std::int64_t{1} << 30)};
  try {
    tensor_size_bytes(spec);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Limit);
  }
}

}  // namespace
}  // namespace ptec::plan
