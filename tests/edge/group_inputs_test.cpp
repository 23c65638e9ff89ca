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

}  // namespace
}  // namespace ptec::edge
