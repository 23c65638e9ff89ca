// Expected strides are those of torch 2.14's fake tensors for the same operands.
#include "ops/layouts.h"

#include <gtest/gtest.h>

#include "ptec/error.h"
#include "tests/support/pass_text.h"

namespace ptec::edge {
namespace {

std::vector<std::int64_t> strides_of_last(std::string_view text) {
  Program program = parse_program(text);
  const NodeId last = program.graph.at(program.graph.last()).previous();
  infer_strides(program, last);
  std::vector<std::int64_t> out;
  for (const Dim& stride : program.graph.at(last).value.tensor()->strides)
    out.push_back(stride.number());
  return out;
}

using Strides = std::vector<std::int64_t>;

TEST(Layouts, PointwiseKeepsAPermutedLayout) {
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8] strides [4,1,8,48]) {
      %y: f32[2,4,6,8] = aten::relu.default(%x)
      return (%y) })"),
            (Strides{4, 1, 8, 48}));
}

TEST(Layouts, PointwiseClosesTheGapsOfASlice) {
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8] strides [384,96,16,2]) {
      %y: f32[2,4,6,8] = aten::relu.default(%x)
      return (%y) })"),
            (Strides{192, 48, 8, 1}));
}

TEST(Layouts, TheFirstOperandOfAPointwiseOperatorDecides) {
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8] strides [4,1,8,48], %c: f32[2,4,6,8]) {
      %y: f32[2,4,6,8] = aten::add.Tensor(%x, %c)
      return (%y) })"),
            (Strides{4, 1, 8, 48}));
}

TEST(Layouts, ABroadcastOperandLeavesTheOtherOneToDecide) {
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8] strides [192,1,32,4], %c: f32[1,4,1,1]) {
      %y: f32[2,4,6,8] = aten::add.Tensor(%x, %c)
      return (%y) })"),
            (Strides{192, 1, 32, 4}));
}

TEST(Layouts, AnExpandedOperandComesOutContiguous) {
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8] strides [48,0,8,1]) {
      %y: f32[2,4,6,8] = aten::relu.default(%x)
      return (%y) })"),
            (Strides{192, 48, 8, 1}));
}

TEST(Layouts, PoolingOfChannelsLastIsChannelsLastAndOfOthersContiguous) {
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8] strides [192,1,32,4]) {
      %y: f32[2,4,3,4] = aten::avg_pool2d.default(%x, [2,2])
      return (%y) })"),
            (Strides{48, 1, 16, 4}));
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8] strides [4,1,8,48]) {
      %y: f32[2,4,3,4] = aten::avg_pool2d.default(%x, [2,2])
      return (%y) })"),
            (Strides{48, 12, 4, 1}));
}

TEST(Layouts, ConvolutionWithAChannelsLastWeightIsChannelsLast) {
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8], %w: f32[4,4,3,3] strides [36,1,12,4]) {
      %y: f32[2,4,6,8] = aten::convolution.default(%x, %w, none, [1,1], [1,1], [1,1], false, [0,0], 1)
      return (%y) })"),
            (Strides{192, 1, 32, 4}));
}

TEST(Layouts, CatIsChannelsLastOnlyWhenAllAre) {
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8] strides [192,1,32,4], %c: f32[2,4,6,8]) {
      %y: f32[2,8,6,8] = aten::cat.default([%x, %c], 1)
      return (%y) })"),
            (Strides{384, 48, 8, 1}));
}

TEST(Layouts, ReductionsAndSoftmaxAreContiguous) {
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8] strides [192,1,32,4]) {
      %y: f32[2,4,6,8] = aten::_softmax.default(%x, 1, false)
      return (%y) })"),
            (Strides{192, 48, 8, 1}));
}

TEST(Layouts, CloneFollowsItsMemoryFormat) {
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8] strides [4,1,8,48]) {
      %y: f32[2,4,6,8] = aten::clone.default(%x, memory_format=memory_format contiguous_format)
      return (%y) })"),
            (Strides{192, 48, 8, 1}));
  EXPECT_EQ(strides_of_last(R"(
    method forward(%x: f32[2,4,6,8] strides [4,1,8,48]) {
      %y: f32[2,4,6,8] = aten::clone.default(%x)
      return (%y) })"),
            (Strides{4, 1, 8, 48}));
}

TEST(Layouts, SymbolicStridesFollowTheSizes) {
  Program program = parse_program(R"(
    symbol s0 in [2, 6] hint 3
    method forward(%x: f32[s0,4,6] strides [24,1,4]) {
      %y: f32[s0,4,6] = aten::relu.default(%x)
      %z: f32[6,4,s0] = aten::permute_copy.default(%y, [2,1,0])
      return (%z) })");
  const NodeId z = program.graph.at(program.graph.last()).previous();
  infer_strides(program, z);
  EXPECT_EQ(program.exprs.print(program.graph.at(z).value.tensor()->strides[0]), "4*s0");
  const NodeId y = program.graph.at(z).previous();
  infer_strides(program, y);
  EXPECT_EQ(program.graph.at(y).value.tensor()->strides, (std::vector<Dim>{24, 1, 4}));
}

TEST(Layouts, bad_AnOperatorWithoutARuleIsRefusedForOtherLayouts) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,4] strides [1,2]) {
      %y: f32[2,4] = aten::glu.default(%x)
      return (%y) })");
  try {
    infer_strides(program, program.graph.at(program.graph.last()).previous());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_NE(std::string(error.what()).find("aten::glu.default reads a tensor that is not"),
              std::string::npos)
        << error.what();
  }
}

TEST(Layouts, ADimOfSizeOneDoesNotMakeAnOrderThatNoKernelKnows) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,1,6,6] strides [36,1,6,1], %y: f32[2,8,1,1] strides [8,1,8,8]) {
      return (%x, %y) })");
  const Graph& graph = program.graph;
  EXPECT_EQ(dim_order_of(program, *graph.at(program.inputs[0].node).value.tensor()),
            kChannelsLastOrder);
  EXPECT_EQ(dim_order_of(program, *graph.at(program.inputs[1].node).value.tensor()),
            kChannelsLastOrder);
}

}  // namespace
}  // namespace ptec::edge
