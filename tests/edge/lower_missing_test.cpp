#include "edge/lower_missing.h"

#include <gtest/gtest.h>

#include "ops/missing_kernels.h"
#include "tests/support/pass_text.h"

namespace ptec::edge::test {
namespace {

void expect_unchanged(std::string_view text) {
  EXPECT_EQ(after(text, lower_missing_kernels), as_printed(text));
}

TEST(LowerMissing, SortWithoutIndicesBecomesTopkOverTheWholeDimension) {
  EXPECT_EQ(after(R"(
method forward(%x: f32[3,4]) {
  %sort: (f32[3,4], i64[3,4]) = aten::sort.default(%x, 0, true)
  %getitem: f32[3,4] = getitem(%sort, 0)
  return (%getitem)
}
)",
                  lower_missing_kernels),
            as_printed(R"(
method forward(%x: f32[3,4]) {
  %sort: (f32[3,4], i64[3,4]) = aten::topk.default(%x, 3, 0, true, true)
  %getitem: f32[3,4] = getitem(%sort, 0)
  return (%getitem)
}
)"));
}

TEST(LowerMissing, SortStaysWhereItsIndicesAreUsed) {
  expect_unchanged(R"(
method forward(%x: f32[3,4]) {
  %sort: (f32[3,4], i64[3,4]) = aten::sort.default(%x)
  %getitem: i64[3,4] = getitem(%sort, 1)
  return (%getitem)
}
)");
}

TEST(LowerMissing, SortStaysForDynamicSizesAndForBool) {
  expect_unchanged(R"(
symbol s0 in [2, 8]
method forward(%x: f32[s0,4]) {
  %sort: (f32[s0,4], i64[s0,4]) = aten::sort.default(%x, 0)
  %getitem: f32[s0,4] = getitem(%sort, 0)
  return (%getitem)
}
)");
  expect_unchanged(R"(
method forward(%x: b8[4]) {
  %sort: (b8[4], i64[4]) = aten::sort.default(%x, 0)
  %getitem: b8[4] = getitem(%sort, 0)
  return (%getitem)
}
)");
}

TEST(LowerMissing, AStableSortOfFloatsStays) {
  expect_unchanged(R"(
method forward(%x: f32[3,4]) {
  %sort: (f32[3,4], i64[3,4]) = aten::sort.stable(%x, stable=true, dim=1)
  %getitem: f32[3,4] = getitem(%sort, 0)
  return (%getitem)
}
)");
}

TEST(LowerMissing, AMedianOfFloatsStays) {
  expect_unchanged(R"(
method forward(%x: f32[3,4]) {
  %median: (f32[3], i64[3]) = aten::median.dim(%x, 1)
  %getitem: f32[3] = getitem(%median, 0)
  return (%getitem)
}
)");
}

TEST(LowerMissing, AMedianOfIntegersIsTheLastOfTheLowerHalf) {
  EXPECT_EQ(after(R"(
method forward(%x: i64[3,4]) {
  %median: (i64[3], i64[3]) = aten::median.dim(%x, 1)
  %getitem: i64[3] = getitem(%median, 0)
  return (%getitem)
}
)",
                  [](Program& program) {
                    EXPECT_EQ(lower_missing_kernels(program).rewritten, 1);
                    EXPECT_TRUE(find_missing_kernels(program.graph).empty());
                  }),
            as_printed(R"(
method forward(%x: i64[3,4]) {
  %op_1: (i64[3,2], i64[3,2]) = aten::topk.default(%x, 2, 1, false, true)
  %op_2: i64[3,2] = getitem(%op_1, 0)
  %op_3: i64[3,2] = getitem(%op_1, 1)
  %op_4: i64[3] = aten::select_copy.int(%op_2, 1, 1)
  return (%op_4)
}
)"));
}

TEST(LowerMissing, AScatterWithAnotherReductionStays) {
  expect_unchanged(R"(
method forward(%x: f32[3,4], %i: i64[3,4]) {
  %y: f32[3,4] = aten::scatter_reduce.two(%x, 1, %i, %x, "prod")
  %z: f32[3,4] = aten::scatter_reduce.two(%x, 1, %i, %x, "sum", include_self=false)
  return (%y, %z)
}
)");
}

}  // namespace
}  // namespace ptec::edge::test
