#include "edge/decompose.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

TEST(Decompose, MatmulOfMatricesBecomesMm) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,4], %w: f32[4,8]) {
      %y: f32[2,8] = aten::matmul.default(%x, %w)
      return (%y)
    })");
  EXPECT_EQ(decompose(program).rewritten, 1);
  EXPECT_NE(print_program(program).find("aten::mm.default(%x, %w)"), std::string::npos);
}

TEST(Decompose, ABatchOfMatricesIsFoldedIntoTheRowsOfOneProduct) {
  Program program = parse_program(R"(
    method forward(%x: f32[3,2,4], %w: f32[4,8]) {
      %y: f32[3,2,8] = aten::matmul.default(%x, %w)
      return (%y)
    })");
  EXPECT_EQ(decompose(program).rewritten, 1);
  EXPECT_EQ(print_program(program), R"(method forward(%x: f32[3,2,4], %w: f32[4,8]) {
  %op_1: f32[6,4] = aten::view.default(%x, [6, 4])
  %op_2: f32[6,8] = aten::mm.default(%op_1, %w)
  %op_3: f32[3,2,8] = aten::view.default(%op_2, [3, 2, 8])
  return (%op_3)
}
)");
}

TEST(Decompose, StackKeepsANegativeDimBehindTheLast) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,3]) {
      %y: f32[2,3,2] = aten::stack.default([%x, %x], -1)
      %z: f32[2,2,3] = aten::stack.default([%x, %x], -2)
      return (%y, %z)
    })");
  decompose(program);
  const std::string text = print_program(program);
  EXPECT_NE(text.find("aten::cat.default([%op_1, %op_2], -1)"), std::string::npos) << text;
  EXPECT_NE(text.find("aten::cat.default([%x, %x], 1)"), std::string::npos) << text;
}

TEST(Decompose, ItemGivesTheNumberThatTheTraceRecorded) {
  Program program = parse_program(R"(
    symbol u0 in [0, 4]
    method forward(%x: i64[]) {
      %n: int(u0) = aten::item.default(%x)
      %y: f32[u0] = aten::full.default([%n], 1.0)
      return (%y)
    })");
  EXPECT_EQ(decompose(program).rewritten, 1);
  EXPECT_NE(print_program(program).find("%n: int(u0) = aten::_local_scalar_dense.default(%x)"),
            std::string::npos)
      << print_program(program);
}

TEST(Decompose, FillingWithATensorCopiesIt) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,3], %v: f32[]) {
      %y: f32[2,3] = aten::fill.Tensor(%x, %v)
      return (%y)
    })");
  decompose(program);
  EXPECT_NE(print_program(program).find("aten::copy.default(%x, %v)"), std::string::npos);
}

TEST(Decompose, AReaderFollowsAResultThatLiesOtherwiseThanRecorded) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,3]) {
      %s: f32[2,3] strides [1,2] = aten::square.default(%x)
      %y: f32[2,3] strides [1,2] = aten::relu.default(%s)
      return (%y)
    })");
  decompose(program);
  EXPECT_EQ(print_program(program).find("strides"), std::string::npos) << print_program(program);
}

TEST(Decompose, ALinearLayerOfAnInputWithGapsIsAProductOfBatches) {
  Program program = parse_program(R"(
    method forward(%x: f32[3,2,4], %w: f32[8,4] parameter "w" requires_grad) {
      %t: f32[2,3,4] = aten::transpose.int(%x, 0, 1)
      %y: f32[2,3,8] = aten::linear.default(%t, %w)
      return (%y)
    })");
  decompose(program);
  EXPECT_NE(print_program(program).find("aten::bmm.default"), std::string::npos);
}

TEST(Decompose, ARecurrentLayerIsUnrolledOverItsSteps) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,1,3], %h: f32[1,1,4], %u: f32[4,3], %v: f32[4,4]) {
      %r: (f32[2,1,4], f32[1,1,4]) = aten::rnn_tanh.input(%x, %h, [%u, %v], false, 1, 0.0, false, false, false)
      %y: f32[2,1,4] = getitem(%r, 0)
      %last: f32[1,1,4] = getitem(%r, 1)
      return (%y, %last)
    })");
  EXPECT_EQ(decompose(program).rewritten, 1);
  const std::string text = print_program(program);
  std::size_t steps = 0;
  for (std::size_t at = text.find("aten::tanh"); at != std::string::npos;
       at = text.find("aten::tanh", at + 1))
    ++steps;
  EXPECT_EQ(steps, 2u);
  EXPECT_EQ(text.find("rnn_tanh"), std::string::npos);
}

TEST(Decompose, ARecurrentLayerThatDropsOutStays) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,1,3], %h: f32[1,1,4], %u: f32[4,3], %v: f32[4,4]) {
      %r: (f32[2,1,4], f32[1,1,4]) = aten::rnn_tanh.input(%x, %h, [%u, %v], false, 1, 0.5, true, false, false)
      %y: f32[2,1,4] = getitem(%r, 0)
      return (%y)
    })");
  EXPECT_EQ(decompose(program).rewritten, 0);
}

TEST(Decompose, AnEinsumWithADiagonalStays) {
  Program program = parse_program(R"(
    method forward(%x: f32[3,3]) {
      %y: f32[3] = aten::einsum.default("ii->i", [%x])
      return (%y)
    })");
  EXPECT_EQ(decompose(program).rewritten, 0);
}

TEST(Decompose, HalfIsComputedInFloat) {
  Program program = parse_program(R"(
    method forward(%x: f16[2,4]) {
      %y: f16[2,4] = aten::silu.default(%x)
      return (%y)
    })");
  decompose(program);
  EXPECT_EQ(print_program(program), R"(method forward(%x: f16[2,4]) {
  %op_1: f32[2,4] = aten::_to_copy.default(%x, dtype=f32)
  %op_2: f32[2,4] = aten::sigmoid.default(%op_1)
  %op_3: f32[2,4] = aten::mul.Tensor(%op_1, %op_2)
  %op_4: f16[2,4] = aten::_to_copy.default(%op_3, dtype=f16)
  return (%op_4)
}
)");
}

TEST(Decompose, ResultsOfAListTakeThePlaceOfItsItems) {
  Program program = parse_program(R"(
    method forward(%x: f32[5,2]) {
      %s: (f32[3,2], f32[2,2]) = aten::chunk.default(%x, 2)
      %a: f32[3,2] = getitem(%s, 0)
      %b: f32[2,2] = getitem(%s, 1)
      return (%b, %a)
    })");
  decompose(program);
  EXPECT_EQ(print_program(program), R"(method forward(%x: f32[5,2]) {
  %op_1: (f32[3,2], f32[2,2] offset (6)) = aten::split_with_sizes.default(%x, [3, 2])
  %op_2: f32[3,2] = getitem(%op_1, 0)
  %op_3: f32[2,2] offset (6) = getitem(%op_1, 1)
  return (%op_3, %op_2)
}
)");
}

TEST(DecomposeBad, MoreResultsThanCanBeWrittenOneByOneAreRefused) {
  Program program = parse_program(R"(
    method forward(%x: f32[1000000000000,2]) {
      %s: (f32[2], f32[2]) = aten::unbind.int(%x)
      %a: f32[2] = getitem(%s, 0)
      return (%a)
    })");
  try {
    decompose(program);
    FAIL() << "was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Limit);
    EXPECT_NE(std::string(error.what()).find("it gives 1000000000000 tensors, and at most 100000"),
              std::string::npos)
        << error.what();
  }
}

TEST(DecomposeBad, ARecordedShapeThatTheOperatorCannotGiveIsRefused) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,4], %w: f32[4,8]) {
      %y: f32[2,9] = aten::matmul.default(%x, %w)
      return (%y)
    })");
  try {
    decompose(program);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_STREQ(error.what(),
                 "node 'y': it is recorded as f32[2,9], and decomposes into f32[2,8]");
  }
}

}  // namespace
}  // namespace ptec::edge
