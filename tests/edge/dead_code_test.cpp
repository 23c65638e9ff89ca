#include "edge/dead_code.h"

#include <gtest/gtest.h>

#include "ir/text.h"

namespace ptec::edge {
namespace {

TEST(DeadCode, RemovesUnusedCallsAndParametersButKeepsBuffersAndInputs) {
  Program program = parse_program(R"(
    method forward(%p: f32[4] parameter "p", %b: f32[4] buffer "b", %x: f32[4], %unused: f32[4]) {
      %a: f32[4] = aten::relu.default(%x)
      %dead: f32[4] = aten::add.Tensor(%a, %p)
      return (%a)
    })");
  const DeadCodeStats stats = remove_dead_code(program);
  EXPECT_EQ(stats.nodes, 1);
  EXPECT_EQ(remove_unused_parameters(program).parameters, 1);
  ASSERT_EQ(program.inputs.size(), 3u);
  EXPECT_EQ(program.inputs[0].target, "b");
}

}  // namespace
}  // namespace ptec::edge
