// A copy of a program shares nothing with it that a pass can change.
#include <gtest/gtest.h>

#include <string>

#include "ir/subgraphs.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ptec/error.h"

namespace ptec {
namespace {

constexpr std::string_view kControlFlow = R"(
  method forward(%p: b8[1], %x: f32[4], %w: f32[3,4]) {
    %c: (f32[4]) = higher_order::cond(%p, graph(%a: f32[4]) {
      %b: f32[4] = aten::neg.default(%a)
      return (%b)
    }, graph(%a: f32[4]) {
      %b: f32[4] = aten::abs.default(%a)
      return (%b)
    }, [%x])
    %c0: f32[4] = getitem(%c, 0)
    %m: (f32[3,4]) = higher_order::map_impl(graph(%a: f32[4]) {
      %b: f32[4] = aten::exp.default(%a)
      return (%b)
    }, [%w], [])
    %m0: f32[3,4] = getitem(%m, 0)
    %s: (f32[4], f32[3,4]) = higher_order::scan(graph(%a: f32[4], %r: f32[4]) {
      %b: f32[4] = aten::add.Tensor(%a, %r)
      %d: f32[4] = aten::sin.default(%b)
      return (%b, %d)
    }, [%c0], [%w], [])
    %s0: f32[4] = getitem(%s, 0)
    %s1: f32[3,4] = getitem(%s, 1)
    return (%s0, %s1, %m0)
  })";

TEST(CopyOfAProgram, KeepsItsGraphsWhenEachOfTheCopysIsChanged) {
  const Program original = parse_program(kControlFlow);
  const std::string before = print_program(original);
  ASSERT_EQ(original.subgraphs.size(), 4u);

  Program copy = original;
  EXPECT_EQ(print_program(copy), before);
  int changed = 0;
  for_each_graph(copy, [&changed](Graph& graph) {
    for (const NodeId id : graph.order()) {
      Node& node = graph.at(id);
      if (node.kind != NodeKind::Call || node.target.find("aten::") != 0) continue;
      node.target = "aten::tanh.default";
      node.name += "_changed";
      if (TensorMeta* tensor = node.value.tensor()) tensor->requires_grad = true;
      ++changed;
    }
    Node extra;
    extra.name = "extra";
    extra.target = "aten::neg.default";
    extra.args = {Argument(graph.first())};
    extra.value = graph.at(graph.first()).value;
    graph.insert(std::move(extra), graph.last());
  });
  EXPECT_EQ(changed, 5);
  verify(copy, "the change");

  EXPECT_NE(print_program(copy), before);
  EXPECT_EQ(print_program(original), before);
  verify(original, "the change of a copy");
}

TEST(CopyOfAProgram, OutlivesTheOriginal) {
  Program copy;
  std::string before;
  {
    const Program original = parse_program(kControlFlow);
    before = print_program(original);
    copy = original;
  }
  EXPECT_EQ(print_program(copy), before);
}

TEST(Graph, bad_IdsThatItDoesNotHave) {
  Program program = parse_program(kControlFlow);
  const NodeId outside = static_cast<NodeId>(program.graph.id_bound());
  EXPECT_THROW(program.graph.at(outside), Error);
  EXPECT_THROW(program.graph.at(kNoNode), Error);
  EXPECT_THROW(program.graph_of(static_cast<GraphId>(5)), Error);
}

}  // namespace
}  // namespace ptec
