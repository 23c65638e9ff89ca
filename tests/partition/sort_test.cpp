#include "partition/sort.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ir/text.h"
#include "tests/support/graph_names.h"

namespace ptec {
namespace {

TEST(SortAfterFusing, MovesWhatIsReadyTowardsTheTop) {
  Program program = parse_program(R"(
    method forward(%x: f32[2], %y: f32[2]) {
      %a: f32[2] = aten::relu.default(%x)
      %b: f32[2] = aten::relu.default(%a)
      %c: f32[2] = aten::relu.default(%y)
      %d: f32[2] = aten::add.Tensor(%b, %c)
      return (%d)
    })");
  sort_after_fusing(program.graph);
  const std::vector<std::string> order = test::node_names(program.graph);
  EXPECT_EQ(std::vector<std::string>(order.begin(), order.begin() + 6),
            (std::vector<std::string>{"x", "y", "a", "c", "b", "d"}));
}

TEST(SortAfterFusing, VisitsUsersInUseListOrderAndRebuildsTheLists) {
  Program program = parse_program(R"(
    method forward(%x: f32[2]) {
      %a: f32[2] = aten::relu.default(%x)
      %b: f32[2] = aten::abs.default(%x)
      %c: f32[2] = aten::add.Tensor(%a, %b)
      return (%c)
    })");
  Graph& graph = program.graph;
  const std::vector<NodeId> order = graph.order();
  graph.set_arguments(
      order[1], {Argument(order[0])}, {});  // a leaves x's users and enters again behind b
  sort_after_fusing(graph);
  EXPECT_EQ(test::node_names(graph)[1], "b");
  EXPECT_EQ(test::node_names(graph)[2], "a");
  EXPECT_EQ(graph.at(order[0]).users, (std::vector<NodeId>{order[2], order[1]}));
}

}  // namespace
}  // namespace ptec
