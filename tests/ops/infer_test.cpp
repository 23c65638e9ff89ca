#include "ops/infer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "ir/text.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

struct Call {
  std::string inputs;
  std::string result;
  std::string call;
  friend std::ostream& operator<<(std::ostream& out, const Call& call) { return out << call.call; }
};

std::string program_text(const Call& call) {
  return "method forward(" + call.inputs + ") {\n  %y: " + call.result + " = " + call.call +
         "\n  return (%y)\n}";
}

NodeId call_of(const Program& program) {
  return *program.graph.at(program.graph.output).args[0].list()->at(0).node();
}

class Infer : public testing::TestWithParam<Call> {};

// The results are those of eager PyTorch 2.14 on tensors of these sizes and strides.
TEST_P(Infer, GivesTypeSizesAndStridesOfEagerPyTorch) {
  Program program = parse_program(program_text(GetParam()));
  const std::string wanted = print_program(program);
  const NodeId call = call_of(program);
  std::optional<Value> value = infer_value(program, program.graph.at(call));
  ASSERT_TRUE(value);
  program.graph.at(call).value = *value;
  EXPECT_EQ(print_program(program), wanted);
}

INSTANTIATE_TEST_SUITE_P(
    Calls,
    Infer,
    testing::ValuesIn(std::vector<Call>{
        {"%a: f32[3,1], %b: f32[1,4]", "f32[3,4]", "aten::add.Tensor(%a, %b)"},
        {"%a: f32[3,4] strides [1,3], %b: f32[4]",
         "f32[3,4] strides [1,3]",
         "aten::add.Tensor(%a, %b)"},
        {"%a: f32[2,3,4,5] strides [60,1,15,3], %b: f32[3,1,1]",
         "f32[2,3,4,5] strides [60,1,15,3]",
         "aten::mul.Tensor(%a, %b)"},
        {"%a: f32[2,3,4,5] strides [60,1,15,3]",
         "f32[2,3,4,5] strides [60,1,15,3]",
         "aten::relu.default(%a)"},
        {"%a: i64[2]", "f32[2]", "aten::add.Tensor(%a, 1.5)"},
        {"%a: u8[2], %b: i8[2]", "i16[2]", "aten::add.Tensor(%a, %b)"},
        {"%a: f16[2], %b: f32[]", "f16[2]", "aten::mul.Tensor(%a, %b)"},
        {"%a: f16[2], %b: bf16[2]", "f32[2]", "aten::mul.Tensor(%a, %b)"},
        {"%a: i64[2], %b: i64[2]", "f32[2]", "aten::div.Tensor(%a, %b)"},
        {"%a: f32[2,3] strides [1,2]", "b8[2,3] strides [1,2]", "aten::eq.Scalar(%a, 1)"},
        {"%a: b8[3,4], %b: f32[4], %c: i64[3,1]", "f32[3,4]", "aten::where.self(%a, %b, %c)"},
        {"%a: b8[2,3,4]", "i64[2,3]", "aten::sum.dim_IntList(%a, [-1])"},
        {"%a: f32[2,3,4,5] strides [60,1,15,3]",
         "f32[2,3,1,1]",
         "aten::mean.dim(%a, [2, 3], true)"},
        {"%a: f32[2,3,4] strides [1,2,6]", "f32[2,4]", "aten::amax.default(%a, [1])"},
        {"%a: f32[2,3]", "(f32[2], i64[2])", "aten::max.dim(%a, 1)"},
        {"%a: f32[2,12]", "f32[2,3,4]", "aten::view.default(%a, [2, -1, 4])"},
        {"%a: f32[4,6] strides [1,4]",
         "f32[4,2,3] strides [1,12,4]",
         "aten::view.default(%a, [4, 2, 3])"},
        {"%a: f32[3,1]", "f32[2,3,4] strides [0,1,0]", "aten::expand.default(%a, [2, 3, 4])"},
        {"%a: f32[2,3,4]", "f32[4,2,3] strides [1,12,4]", "aten::permute.default(%a, [2, 0, 1])"},
        {"%a: f32[2,3,4]", "f32[4,2,3]", "aten::permute_copy.default(%a, [2, 0, 1])"},
        {"%a: f32[2,3]", "f32[2,3,1]", "aten::unsqueeze.default(%a, -1)"},
        {"%a: f32[1,3,1]", "f32[3,1]", "aten::squeeze.dims(%a, [0, 1])"},
        {"%a: f32[5,4]",
         "f32[2,4] strides [8,1] offset (8)",
         "aten::slice.Tensor(%a, 0, -3, 9223372036854775807, 2)"},
        {"%a: f32[5,4]", "f32[5] strides [4] offset (3)", "aten::select.int(%a, 1, -1)"},
        {"%a: f32[5,2]",
         "(f32[2,2], f32[2,2] offset (4), f32[1,2] offset (8))",
         "aten::split.Tensor(%a, 2)"},
        {"%a: f32[3,4]", "f32[3] strides [5] offset (1)", "aten::diagonal.default(%a, 1)"},
        {"%a: f32[2,5]", "f32[2,2,3] strides [5,2,1]", "aten::unfold.default(%a, 1, 3, 2)"},
        {"%a: f32[2,3], %b: f32[2,4]", "f32[2,7]", "aten::cat.default([%a, %b], 1)"},
        {"%a: f32[2,3,4], %b: f32[2,4,5]", "f32[2,3,5]", "aten::bmm.default(%a, %b)"},
        {"%a: f32[1,3,8,8], %b: f32[4,3,3,3]",
         "f32[1,4,4,4]",
         "aten::convolution.default(%a, %b, none, [2, 2], [1, 1], [1, 1], false, [0, 0], 1)"},
        {"%a: f32[2,3,4,5] strides [60,1,15,3], %b: f32[3,2,3,3]",
         "f32[2,2,10,12] strides [240,1,24,2]",
         "aten::convolution.default(%a, %b, none, [2, 2], [0, 0], [1, 1], true, [1, 1], 1)"},
        {"%a: f32[1,2,5,5]",
         "(f32[1,2,3,3], i64[1,2,3,3])",
         "aten::max_pool2d_with_indices.default(%a, [3, 3], [2, 2], [1, 1], [1, 1], true)"},
        {"%a: f32[2,3]", "f32[3,6]", "aten::constant_pad_nd.default(%a, [1, 2, 0, 1])"},
        {"%a: f32[4,5,6], %b: i64[2,1], %c: i64[3]",
         "f32[4,2,3]",
         "aten::index.Tensor(%a, [none, %b, %c])"},
        {"%a: f32[2,3,4]",
         "(f32[2,3,4], f32[2,3,1], f32[2,3,1])",
         "aten::native_layer_norm.default(%a, [4], none, none, 1e-05)"},
        {"%a: f32[2,3]", "f32[2,2,6]", "aten::repeat.default(%a, [2, 1, 2])"},
        {"%a: f32[2,3] strides [1,2]", "f32[2,3] strides [1,2]", "aten::clone.default(%a)"},
        {"%a: f32[2,3] strides [1,2]",
         "f32[2,3]",
         "aten::clone.default(%a, memory_format=memory_format contiguous_format)"},
        {"%a: f32[2,3,4,5] strides [60,1,15,3]",
         "f16[2,3,4,5] strides [60,1,15,3]",
         "aten::_to_copy.default(%a, dtype=f16)"},
        {"%a: f32[2,5]", "(f32[2,3], i64[2,3])", "aten::topk.default(%a, 3)"},
        {"%a: f32[2,5]", "b8[2,5]", "aten::any.dims(%a, [])"},
        {"%a: f32[2,5]", "b8[]", "aten::any.dims(%a)"},
        {"%a: f32[2,5]", "f32[]", "aten::sum.dim_IntList(%a, [])"},
        {"%a: f32[1]", "i64[1]", "aten::arange.start_step(false, true, true)"},
        // Tensors that are contiguous and channels-last: strides tell what they were made as.
        {"%a: f32[2,8,1,1] strides [8,1,8,8]",
         "f32[2,8,1,1] strides [8,1,8,8]",
         "aten::relu.default(%a)"},
        {"%a: f32[2,8,1,1] strides [8,1,8,8]", "f32[2,8,1,1]", "aten::add.Tensor(%a, %a)"},
        {"%a: f32[2,8,1,1] strides [8,1,8,8], %b: f32[4,8,1,1]",
         "f32[2,4,1,1] strides [4,1,4,4]",
         "aten::convolution.default(%a, %b, none, [1, 1], [0, 0], [1, 1], false, [0, 0], 1)"},
        {"%a: f32[2,4,6,6] strides [144,1,24,4], %b: f32[2,4,1,1] strides [4,1,4,4]",
         "f32[2,4,6,6] strides [144,1,24,4]",
         "aten::mul.Tensor(%b, %a)"},
        {"%a: f32[2,1,6,6]", "f32[2,1,6,6]", "aten::relu.default(%a)"},
        {"%a: f32[2,1,6,6] strides [36,1,6,1]",
         "f32[2,1,6,6] strides [36,1,6,1]",
         "aten::relu.default(%a)"},
    }));

TEST(InferSymbolic, SizesAreComputedAsExpressions) {
  Program program = parse_program(R"(
    symbol s0 in [1, 8] hint 3
    method forward(%x: f32[s0,4], %y: f32[s0,4]) {
      %c: f32[2*s0,4] = aten::cat.default([%x, %y])
      return (%c)
    })");
  const std::string wanted = print_program(program);
  const NodeId call = call_of(program);
  program.graph.at(call).value = *infer_value(program, program.graph.at(call));
  EXPECT_EQ(print_program(program), wanted);
}

TEST(InferUnknown, AnOperatorWithoutARuleGivesNothing) {
  Program program = parse_program(R"(
    method forward(%x: f32[2]) {
      %y: f32[2] = mylib::twist.default(%x)
      return (%y)
    })");
  EXPECT_FALSE(infer_value(program, program.graph.at(call_of(program))));
  EXPECT_FALSE(can_infer("mylib::twist.default"));
}

TEST(InferUnknown, ASizeThatOnlyARunTellsIsNotWrongWhereItsRuleNeedsANumber) {
  Program program = parse_program(R"(
    symbol s0 in [2, 4] hint 2
    method forward(%x: f32[8,s0]) {
      %n: int(s0) = aten::sym_size.int(%x, 1)
      %y: f32[4,s0] = aten::slice.Tensor(%x, 0, 0, 8, %n)
      return (%y)
    })");
  EXPECT_FALSE(infer_value(program, program.graph.at(call_of(program))));
}

TEST(InferBad, SizesThatDoNotBroadcastAreMalformed) {
  Program program = parse_program(R"(
    method forward(%x: f32[2], %z: f32[3]) {
      %y: f32[3] = aten::add.Tensor(%x, %z)
      return (%y)
    })");
  try {
    infer_value(program, program.graph.at(call_of(program)));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Malformed);
    EXPECT_NE(std::string(error.what()).find("sizes 2 and 3 do not broadcast"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ptec::edge
