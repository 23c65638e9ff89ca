#include "ir/verify.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "tests/support/expect_error.h"

namespace ptec {
namespace {

using test::fails_with;

Program small_program() {
  return parse_program(R"(
    method forward(%x: f32[2,4], %w: f32[4,8] parameter "weight") {
      %mm: f32[2,8] = aten::mm.default(%x, %w)
      %t: (f32[2,3], i64[2,3]) = aten::topk.default(%mm, 3, 1)
      %v: f32[2,3] = getitem(%t, 0)
      return (%v)
    })");
}

NodeId node_named(const Graph& graph, std::string_view name) {
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    if (graph.at(id).name == name) return id;
  }
  return kNoNode;
}

template <typename Change>
::testing::AssertionResult broken(std::string_view part, const Change& change) {
  Program program = small_program();
  verify(program, "parse");
  change(program);
  return fails_with(ErrorCode::Internal, part, [&] { verify(program, "a pass"); });
}

TEST(Verify, bad_NamesNodeRuleAndPass) {
  EXPECT_TRUE(broken("after 'a pass', node 'v': another node has the same name",
                     [](Program& p) { p.graph.at(node_named(p.graph, "mm")).name = "v"; }));
}

TEST(Verify, bad_EachRule) {
  EXPECT_TRUE(broken("not defined before it", [](Program& p) {
    std::vector<NodeId> order = p.graph.order();
    std::swap(order[2], order[3]);
    p.graph.reorder(order);
  }));
  EXPECT_TRUE(broken("its use list disagrees",
                     [](Program& p) { p.graph.at(node_named(p.graph, "mm")).users.clear(); }));
  EXPECT_TRUE(broken("outside the list", [](Program& p) {
    p.graph.at(node_named(p.graph, "v")).args[1] = std::int64_t{2};
  }));
  EXPECT_TRUE(broken("as many strides as sizes", [](Program& p) {
    p.graph.at(node_named(p.graph, "mm")).value.tensor()->strides.clear();
  }));
  EXPECT_TRUE(broken("its tensor is not in the program", [](Program& p) { p.tensors.clear(); }));
  EXPECT_TRUE(broken("not in its place among the inputs",
                     [](Program& p) { std::swap(p.inputs[0], p.inputs[1]); }));
  EXPECT_TRUE(
      broken("an input has no placeholder", [](Program& p) { p.inputs.push_back(p.inputs[0]); }));
  EXPECT_TRUE(broken("as many output specs as outputs", [](Program& p) { p.outputs.clear(); }));
  EXPECT_TRUE(broken("it calls nothing",
                     [](Program& p) { p.graph.at(node_named(p.graph, "mm")).target.clear(); }));
}

}  // namespace
}  // namespace ptec
