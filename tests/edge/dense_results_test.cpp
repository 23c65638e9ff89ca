// What an engine returns lies row by row, and so does what shows it, whatever a trace recorded.
#include "edge/dense_results.h"

#include <gtest/gtest.h>

#include "tests/support/pass_text.h"

namespace ptec::edge {
namespace {

std::string after(std::string_view text) {
  return test::after(text, [](Program& program) { use_dense_results(program); });
}

TEST(DenseResults, OfAnEngineAreContiguousAndItsViewsFollow) {
  EXPECT_EQ(after(R"(
    method forward(%x: f32[1,4,64], %e: object "e") {
      %c: (f32[1,16,4,4] strides [256,4,64,1]) = tensorrt::execute_engine.default([%x], %e)
      %k: f32[1,16,4,4] strides [256,4,64,1] = getitem(%c, 0)
      %t: f32[1,4,16,4] strides [256,64,4,1] = aten::transpose.int(%k, 1, 2)
      %s: f32[16,4,4] strides [4,64,1] = aten::select.int(%k, 0, 0)
      %r: f32[1,16,4,4] strides [256,4,64,1] = aten::relu.default(%k)
      return (%t, %s, %r)
    })"),
            R"(method forward(%x: f32[1,4,64], %e: object "e") {
  %c: (f32[1,16,4,4]) = tensorrt::execute_engine.default([%x], %e)
  %k: f32[1,16,4,4] = getitem(%c, 0)
  %t: f32[1,4,16,4] strides [256,4,16,1] = aten::transpose.int(%k, 1, 2)
  %s: f32[16,4,4] = aten::select.int(%k, 0, 0)
  %r: f32[1,16,4,4] = aten::relu.default(%k)
  return (%t, %s, %r)
}
)");
}

TEST(DenseResults, HaveNoStridesOfZero) {
  EXPECT_EQ(after(R"(
    method forward(%x: f32[2,3], %e: object "e") {
      %c: (i64[2,3,4] strides [3,1,0]) = tensorrt::execute_engine.default([%x], %e)
      %i: i64[2,3,4] strides [3,1,0] = getitem(%c, 0)
      return (%i)
    })"),
            R"(method forward(%x: f32[2,3], %e: object "e") {
  %c: (i64[2,3,4]) = tensorrt::execute_engine.default([%x], %e)
  %i: i64[2,3,4] = getitem(%c, 0)
  return (%i)
}
)");
}

TEST(DenseResults, OfNonzeroAreRowsAlthoughTorchRecordsColumns) {
  EXPECT_EQ(after(R"(
    symbol u0 in [0, 16]
    method forward(%x: f32[4,4]) {
      %n: i64[u0,2] strides [1,u0] = aten::nonzero.default(%x)
      %y: i64[u0,2] strides [1,u0] = aten::add.Tensor(%n, %n)
      return (%y)
    })"),
            R"(method forward(%x: f32[4,4]) {
  %n: i64[u0,2] = aten::nonzero.default(%x)
  %y: i64[u0,2] = aten::add.Tensor(%n, %n)
  return (%y)
}
)");
}

TEST(DenseResults, LeaveAnOperatorThatIsDecomposedLater) {
  const std::string text = R"(method forward(%x: f32[2,3], %e: object "e") {
  %c: (f32[2,3]) = tensorrt::execute_engine.default([%x], %e)
  %k: f32[2,3] = getitem(%c, 0)
  %y: f32[2,3] strides [1,2] = aten::square.default(%k)
  return (%y)
}
)";
  EXPECT_EQ(after(text), text);
}

TEST(DenseResults, ChangeNothingWhereTheTraceAgrees) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,3], %e: object "e") {
      %c: (f32[2,3]) = tensorrt::execute_engine.default([%x], %e)
      %k: f32[2,3] = getitem(%c, 0)
      return (%k)
    })");
  EXPECT_EQ(use_dense_results(program).reset, 0);
}

}  // namespace
}  // namespace ptec::edge
