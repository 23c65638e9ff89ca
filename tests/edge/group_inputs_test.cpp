#include "edge/group_inputs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/text.h"
#include "tests/support/graph_names.h"

namespace ptec::edge {
namespace {

TEST(GroupInputs, PutsParametersThenBuffersThenInputsAndKeepsTheOrderWithin) {
  Program program = parse_program(R"(
    method forward(%b1: f32[2] buffer "b1", %p1: f32[2] parameter "p1", %b0: f32[2] buffer "b0", %p0: f32[2] parameter "p0", %x: f32[2]) {
      %y: f32[2] = aten::add.Tensor(%x, %p0)
      return (%y)
    })");
  EXPECT_TRUE(group_inputs(program).changed);
  const std::vector<std::string> order = test::node_names(program.graph);
  EXPECT_EQ(std::vector<std::string>(order.begin(), order.begin() + 6),
            (std::vector<std::string>{"p1", "p0", "b1", "b0", "x", "y"}));
  EXPECT_EQ(program.inputs[0].target, "p1");
  EXPECT_FALSE(group_inputs(program).changed);
}

std::vector<std::string> targets(const Program& program) {
  std::vector<std::string> out;
  for (const InputSpec& input : program.inputs) out.push_back(input.target);
  return out;
}

TEST(GroupInputs, ListsAModulesOwnBeforeThoseOfItsSubmodules) {
  Program program = parse_program(R"(
    method forward(%a: f32[2] parameter "block.0.w", %b: f32[2] parameter "block.s",
                   %c: f32[2] parameter "out.w", %d: f32[2] parameter "scale",
                   %e: f32[2] parameter "block.0.b", %x: f32[2]) {
      return (%x)
    })");
  group_inputs(program);
  EXPECT_EQ(targets(program),
            (std::vector<std::string>{"scale", "block.s", "block.0.w", "block.0.b", "out.w", ""}));
}

TEST(GroupInputs, CountsConstantsAmongTheBuffersOfTheirModule) {
  Program program = parse_program(R"(
    method forward(%p: f32[2] parameter "sub.w", %s: f32[2] buffer "shift", %o: f32[2] buffer "sub.o",
                   %l: f32[2] constant "lifted_tensor_0", %k: f32[2] constant "sub.k", %x: f32[2]) {
      return (%x)
    })");
  group_inputs(program);
  EXPECT_EQ(targets(program),
            (std::vector<std::string>{"sub.w", "shift", "lifted_tensor_0", "sub.o", "sub.k", ""}));
}

TEST(GroupInputs, MakesModulesOfParametersFirstInTheSecondTrace) {
  Program program = parse_program(R"(
    method forward(%b: f32[2] buffer "c.x", %p: f32[2] parameter "a.w", %q: f32[2] buffer "a.y",
                   %x: f32[2]) {
      return (%x)
    })");
  group_inputs(program);
  EXPECT_EQ(targets(program), (std::vector<std::string>{"a.w", "a.y", "c.x", ""}));
}

}  // namespace
}  // namespace ptec::edge
