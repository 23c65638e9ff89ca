#include "edge/input_copies.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ir/verify.h"

namespace ptec::edge {
namespace {

constexpr std::string_view kProgram = R"(
  method forward(%x: f32[2], %b_b: f32[2] buffer "b") {
    %y: f32[2] = aten::relu.default(%x)
    return (%y as buffer_mutation "b", %y as user_input_mutation "x", %y, %x)
  })";

TEST(InputCopies, StandsForTheValueInEveryResultOnceATrace) {
  Program program = parse_program(kProgram);
  EXPECT_EQ(traces_with_mutated_inputs(program), 2);
  EXPECT_EQ(copy_mutated_inputs(program, 2).copies, 2);
  verify(program, "copy mutated inputs");
  EXPECT_NE(print_program(program).find(R"(  %y: f32[2] = aten::relu.default(%x)
  %copy: f32[2] = aten::copy.default(%x, %y)
  %copy_1: f32[2] = aten::copy.default(%x, %copy)
  return (%y as buffer_mutation "b", %copy_1 as user_input_mutation "x", %copy_1, %x)
)"),
            std::string::npos)
      << print_program(program);
}

TEST(InputCopies, LeavesAProgramAloneThatMutatesNoInput) {
  Program program = parse_program(R"(
    method forward(%x: f32[2], %b_b: f32[2] buffer "b") {
      return (%x as buffer_mutation "b", %x)
    })");
  EXPECT_EQ(traces_with_mutated_inputs(program), 1);
  EXPECT_EQ(copy_mutated_inputs(program, 1).copies, 0);
}

}  // namespace
}  // namespace ptec::edge
