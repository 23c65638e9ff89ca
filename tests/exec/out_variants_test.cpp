#include "exec/out_variants.h"

#include <gtest/gtest.h>

#include "exec/specs.h"
#include "ir/text.h"

namespace ptec::edge {
namespace {

TEST(OutVariants, AllocatesEachOutRightBeforeItsOperatorAndFillsDefaultsIn) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,8]) {
      %topk: (f32[2,3], i64[2,3]) = aten::topk.default(%x, 3, sorted=false)
      %values: f32[2,3] = getitem(%topk, 0)
      return (%values)
    })");
  make_specs(program);
  EXPECT_EQ(to_out_variants(program).rewritten, 1);
  const std::vector<NodeId> order = program.graph.order();
  ASSERT_EQ(order.size(), 6u);  // x, two allocs, topk, getitem, output
  EXPECT_EQ(program.graph.at(order[1]).target, "memory::alloc");
  EXPECT_EQ(program.graph.at(order[2]).target, "memory::alloc");
  const Node& topk = program.graph.at(order[3]);
  EXPECT_EQ(topk.target, "aten::topk.values");
  ASSERT_EQ(topk.args.size(), 7u);
  EXPECT_EQ(std::get<std::int64_t>(topk.args[1].v), 3);
  EXPECT_EQ(std::get<std::int64_t>(topk.args[2].v), -1);
  EXPECT_EQ(std::get<bool>(topk.args[3].v), true);
  EXPECT_EQ(std::get<bool>(topk.args[4].v), false);
  EXPECT_EQ(*topk.args[5].node(), order[1]);
  EXPECT_EQ(*topk.args[6].node(), order[2]);
  EXPECT_TRUE(topk.kwargs.empty());
}

}  // namespace
}  // namespace ptec::edge
