#include "edge/decompose.h"

#include <gtest/gtest.h>

#include "program/text.h"

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

TEST(Decompose, LeavesABatchedMatmulAlone) {
  Program program = parse_program(R"(
    method forward(%x: f32[3,2,4], %w: f32[4,8]) {
      %y: f32[3,2,8] = aten::matmul.default(%x, %w)
      return (%y)
    })");
  EXPECT_EQ(decompose(program).rewritten, 0);
}

}  // namespace
}  // namespace ptec::edge
