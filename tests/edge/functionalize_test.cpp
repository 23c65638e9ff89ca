// What a program that writes in place becomes. The expected graphs are those of torch 2.14's
// run_decompositions({}) up to the names of nodes.
#include "edge/functionalize.h"

#include <gtest/gtest.h>

#include "ptec/error.h"
#include "tests/support/pass_text.h"

namespace ptec::edge {
namespace {

using test::after;
using test::as_printed;

TEST(Functionalize, CastsAndContiguousBecomeCopiesOrNothing) {
  EXPECT_EQ(after(R"(
    method forward(%x: f32[2,3]) {
      %a: f32[2,3] = aten::to.dtype(%x, f32)
      %b: f16[2,3] = aten::to.dtype(%a, f16)
      %c: f16[2,3] = aten::contiguous.default(%b)
      %p: f16[3,2] strides [1,3] = aten::permute.default(%c, [1,0])
      %d: f16[3,2] = aten::contiguous.default(%p)
      %e: f16[3,2] = aten::dropout.default(%d, 0.5, false)
      return (%e) })",
                  functionalize),
            as_printed(R"(
    method forward(%x: f32[2,3]) {
      %b: f16[2,3] = aten::_to_copy.default(%x, dtype=f16)
      %p: f16[3,2] strides [1,3] = aten::permute.default(%b, [1,0])
      %d: f16[3,2] = aten::clone.default(%p, memory_format=memory_format contiguous_format)
      return (%d) })"));
}

TEST(Functionalize, AMutatedBufferBecomesAnOutputBeforeTheResults) {
  EXPECT_EQ(after(R"(
    method forward(%b: f32[4] buffer "state", %x: f32[4]) {
      %w: f32[4] = aten::add_.Tensor(%b, %x)
      %y: f32[4] = aten::mul.Tensor(%b, %x)
      return (%y) })",
                  functionalize),
            as_printed(R"(
    method forward(%b: f32[4] buffer "state", %x: f32[4]) {
      %w: f32[4] = aten::add.Tensor(%b, %x)
      %y: f32[4] = aten::mul.Tensor(%w, %x)
      return (%w as buffer_mutation "state", %y) })"));
}

TEST(Functionalize, AWriteThroughASliceReachesTheBaseAndItsOtherViews) {
  EXPECT_EQ(after(R"(
    method forward(%x: f32[4,2]) {
      %b: f32[4,2] = aten::clone.default(%x)
      %s: f32[2,2] = aten::slice.Tensor(%b, 0, 1, 3)
      %t: f32[2] strides [2] = aten::select.int(%b, 1, 0)
      %w: f32[2,2] = aten::mul_.Tensor(%s, %s)
      %y: f32[4,2] = aten::relu.default(%b)
      %z: f32[4] strides [2] = aten::neg.default(%t)
      return (%y, %z, %w) })",
                  functionalize),
            as_printed(R"(
    method forward(%x: f32[4,2]) {
      %b: f32[4,2] = aten::clone.default(%x)
      %s: f32[2,2] = aten::slice.Tensor(%b, 0, 1, 3)
      %t: f32[2] strides [2] = aten::select.int(%b, 1, 0)
      %w: f32[2,2] = aten::mul.Tensor(%s, %s)
      %slice_scatter: f32[4,2] = aten::slice_scatter.default(%b, %w, 0, 1, 3)
      %s_1: f32[2,2] = aten::slice.Tensor(%slice_scatter, 0, 1, 3)
      %y: f32[4,2] = aten::relu.default(%slice_scatter)
      %t_1: f32[2] strides [2] = aten::select.int(%slice_scatter, 1, 0)
      %z: f32[4] strides [2] = aten::neg.default(%t_1)
      return (%y, %z, %s_1) })"));
}

TEST(Functionalize, AWriteThroughTwoViewsIsUndoneStepByStep) {
  EXPECT_EQ(after(R"(
    method forward(%x: f32[4,2]) {
      %b: f32[4,2] = aten::clone.default(%x)
      %p: f32[2,4] strides [1,2] = aten::permute.default(%b, [1,0])
      %s: f32[4] strides [2] = aten::select.int(%p, 0, 1)
      %w: f32[4] = aten::relu_.default(%s)
      return (%b) })",
                  functionalize),
            as_printed(R"(
    method forward(%x: f32[4,2]) {
      %b: f32[4,2] = aten::clone.default(%x)
      %p: f32[2,4] strides [1,2] = aten::permute.default(%b, [1,0])
      %s: f32[4] strides [2] = aten::select.int(%p, 0, 1)
      %w: f32[4] = aten::relu.default(%s)
      %p_1: f32[2,4] strides [1,2] = aten::permute.default(%b, [1,0])
      %select_scatter: f32[2,4] strides [1,2] = aten::select_scatter.default(%p_1, %w, 0, 1)
      %permute: f32[4,2] = aten::permute.default(%select_scatter, [1,0])
      %p_2: f32[2,4] strides [1,2] = aten::permute.default(%permute, [1,0])
      %s_1: f32[4] strides [2] = aten::select.int(%p_2, 0, 1)
      return (%permute) })"));
}

TEST(Functionalize, TheNewValueIsCastBackToTheTypeOfWhatIsWritten) {
  EXPECT_EQ(after(R"(
    method forward(%b: f16[4] buffer "state", %x: f32[4]) {
      %w: f16[4] = aten::add_.Tensor(%b, %x)
      return (%w) })",
                  functionalize),
            as_printed(R"(
    method forward(%b: f16[4] buffer "state", %x: f32[4]) {
      %w: f32[4] = aten::add.Tensor(%b, %x)
      %_to_copy: f16[4] = aten::_to_copy.default(%w, dtype=f16)
      return (%_to_copy as buffer_mutation "state", %_to_copy) })"));
}

TEST(Functionalize, ABufferThatIsOverwrittenWholeIsTheValueItself) {
  EXPECT_EQ(after(R"(
    method forward(%b: f32[4] buffer "b", %h: f16[4] buffer "h", %x: f32[4]) {
      %w: f32[4] = aten::copy_.default(%b, %x)
      %v: f16[4] = aten::copy_.default(%h, %x)
      %z: f32[4] = aten::neg.default(%w)
      return (%z) })",
                  functionalize),
            as_printed(R"(
    method forward(%b: f32[4] buffer "b", %h: f16[4] buffer "h", %x: f32[4]) {
      %v: f16[4] = aten::copy.default(%h, %x)
      %z: f32[4] = aten::neg.default(%x)
      return (%x as buffer_mutation "b", %v as buffer_mutation "h", %z) })"));
}

TEST(Functionalize, AMutatedInputIsReturnedFirst) {
  EXPECT_EQ(after(R"(
    method forward(%x: f32[4], %y: f32[4]) {
      %w: f32[4] = aten::copy_.default(%y, %x)
      %z: f32[4] = aten::neg.default(%y)
      return (%z) })",
                  functionalize),
            as_printed(R"(
    method forward(%x: f32[4], %y: f32[4]) {
      %w: f32[4] = aten::copy.default(%y, %x)
      %z: f32[4] = aten::neg.default(%w)
      return (%w as user_input_mutation "y", %z) })"));
}

TEST(Functionalize, bad_AllWritesThatCannotBeFollowedAreNamed) {
  Program program = parse_program(R"(
    method forward(%x: f32[4,2]) {
      %b: f32[4,2] = aten::clone.default(%x)
      %r: f32[8] = aten::reshape.default(%b, [8])
      %w: f32[8] = aten::relu_.default(%r)
      %c: f32[4,2] = aten::clone.default(%x)
      %v: f32[2,4] = aten::transpose_.default(%c, 0, 1)
      return (%b, %v) })");
  try {
    functionalize(program);
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.problems().size(), 2u) << error.what();
    EXPECT_NE(error.problems()[0].find("node 'w': aten::relu_.default: 'r' may share memory"),
              std::string::npos)
        << error.problems()[0];
    EXPECT_NE(error.problems()[1].find("node 'v': aten::transpose_.default writes in place"),
              std::string::npos)
        << error.problems()[1];
  }
}

}  // namespace
}  // namespace ptec::edge
