#include "edge/max_sizes.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

Program program() {
  return parse_program(R"(
symbol s0 in [2, inf]
symbol s1 in [0, inf]
symbol s2 in [1, 6]
method forward(%x: f32[s0,4], %y: f32[2*s0 + 1,s2], %z: f32[s0*s1,s1]) {
  return (%x, %y, %z)
}
)");
}

std::optional<std::int64_t> max_of(const Program& p, const char* symbol) {
  return p.ranges.find(symbol)->second.max;
}

TEST(MaxSizes, BoundsASymbolByItsName) {
  Program p = program();
  EXPECT_EQ(apply_max_sizes(p, {{"s0", 8}}), std::vector{MaxSizeResult::Applied});
  EXPECT_EQ(max_of(p, "s0"), 8);
  EXPECT_EQ(p.ranges.find("s0")->second.min, 2);
}

TEST(MaxSizes, BoundsTheSymbolOfAnInputsDimension) {
  Program p = program();
  apply_max_sizes(p, {{"z.1", 3}});
  EXPECT_EQ(max_of(p, "s1"), 3);
}

TEST(MaxSizes, ADerivedDimensionBoundsItsSymbolAsFarAsItFits) {
  Program p = program();
  apply_max_sizes(p, {{"y.0", 16}});
  EXPECT_EQ(max_of(p, "s0"), 7);  // 2*7 + 1 = 15, 2*8 + 1 = 17
}

TEST(MaxSizes, SaysWhatIsUnknownAndWhatIsBoundedAlready) {
  Program p = program();
  EXPECT_EQ(
      apply_max_sizes(p, {{"s9", 4}, {"x.2", 4}, {"x", 4}, {"s2", 4}, {"y.1", 4}, {"x.1", 4}}),
      (std::vector{MaxSizeResult::NoSuchDimension,
                   MaxSizeResult::NoSuchDimension,
                   MaxSizeResult::NoSuchDimension,
                   MaxSizeResult::BoundedAlready,
                   MaxSizeResult::BoundedAlready,
                   MaxSizeResult::BoundedAlready}));
  EXPECT_EQ(max_of(p, "s2"), 6);
}

TEST(MaxSizes, NamesWhatIsStillOpenWithTheDimensions) {
  EXPECT_EQ(unbounded_text(program()), "'s0' ('x.0', 'y.0', 'z.0'), 's1' ('z.0', 'z.1')");
}

void expect_refused(const MaxSize& size, const char* words) {
  Program p = program();
  try {
    apply_max_sizes(p, {size});
    FAIL() << size.name;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(MaxSizes, bad_BelowTheLeast) {
  expect_refused({"s0", 1}, "the upper bound 1 for 's0' is below 2");
  expect_refused({"y.0", 4}, "the upper bound 4 for 'y.0' is below 5");
  expect_refused({"s1", 0}, "the upper bound 0 for 's1' is below 1");
}

TEST(MaxSizes, bad_ADimensionOfSeveralSymbols) {
  expect_refused({"z.0", 4}, "several symbols decide; give each of them an upper bound");
}

}  // namespace
}  // namespace ptec::edge
