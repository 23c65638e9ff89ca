// Bounds of symbolic sizes, against every value that small ranges allow.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "sym/sym_expr.h"

namespace ptec {
namespace {

using Values = std::map<std::string, std::int64_t, std::less<>>;

struct Case {
  std::string text;
  bool exact;  // monotone in each symbol, which occurs once: the ends are reached
};

/// Calls `visit` with the expression's value for each assignment within `ranges`.
template <typename Visit>
void each_value(const ExprPool& pool,
                const Dim& dim,
                const SymbolRanges& ranges,
                const Visit& visit) {
  std::vector<Values> all{{}};
  for (const std::string& symbol : pool.symbols(dim)) {
    const Range range = ranges.at(symbol);
    std::vector<Values> longer;
    for (const Values& values : all) {
      for (std::int64_t value = *range.min; value <= *range.max; ++value) {
        longer.push_back(values);
        longer.back()[symbol] = value;
      }
    }
    all = std::move(longer);
  }
  for (const Values& values : all) {
    if (const std::optional<std::int64_t> value = pool.evaluate(dim, values)) visit(*value);
  }
}

void check(const Case& c, const SymbolRanges& ranges) {
  ExprPool pool;
  const Dim dim = pool.parse_infix(c.text);
  const Range bounds = pool.bounds(dim, ranges);
  std::optional<std::int64_t> low;
  std::optional<std::int64_t> high;
  each_value(pool, dim, ranges, [&](std::int64_t value) {
    low = low ? std::min(*low, value) : value;
    high = high ? std::max(*high, value) : value;
  });
  ASSERT_TRUE(low) << c.text;
  EXPECT_TRUE(!bounds.min || *bounds.min <= *low) << c.text;
  EXPECT_TRUE(!bounds.max || *bounds.max >= *high) << c.text;
  if (c.exact) {
    EXPECT_EQ(bounds, (Range{low, high})) << c.text;
  }
}

TEST(Bounds, HoldForEveryOperator) {
  const std::vector<Case> cases = {
      {"a", true},
      {"a + b", true},
      {"a - b", true},
      {"3*a - 2*b + 4", true},
      {"a*b", true},
      {"-2*a*b*c", true},
      {"a//c", true},
      {"a//(c - 9)", true},
      {"CleanDiv(12*a, 4)", true},
      {"CeilDiv(a, c)", true},
      {"Mod(c, 3)", true},
      {"Mod(a, c)", false},
      {"PythonMod(b, -4)", false},
      {"PythonMod(b, 5)", true},
      {"Mod(c, 100)", true},
      {"ModularIndexing(c, 2, 5)", false},
      {"Max(a, b, 2)", true},
      {"Min(a, b)", true},
      {"Abs(b)", true},
      {"b**2", true},
      {"b**3", true},
      {"PowByNatural(c, d)", true},
      {"PowByNatural(b, d)", false},
      {"2**d", true},
      {"Where(StrictLessThan(a, b), a, c)", false},
      {"Piecewise(ExprCondPair(a, StrictLessThan(a, b)), ExprCondPair(c, true))", false},
      {"TruncToInt(IntTrueDiv(b, 3))", true},
      {"FloorToInt(IntTrueDiv(b, 3))", true},
      {"CeilToInt(IntTrueDiv(b, 3))", true},
      {"RoundToInt(IntTrueDiv(b, 2))", true},
      {"ceiling((1/3)*c)", true},
      {"floor((1/3)*c)", true},
      {"(1/2)*(2*c)", false},
      {"LShift(c, d)", true},
      {"RShift(b, d)", true},
      {"BitwiseFn_bitwise_and(c, d)", false},
      {"BitwiseFn_bitwise_or(c, d)", false},
      {"BitwiseFn_bitwise_xor(c, d)", false},
      {"Identity(a) + StrictLessThan(a, b)", false},
      {"TruncToInt(ToFloat(b))", true},
      {"TruncToInt(OpaqueUnaryFn_sqrt(d))", false},
      {"a - a", false},
  };
  const SymbolRanges ranges = {{"a", {-2, 6}}, {"b", {-7, 5}}, {"c", {1, 8}}, {"d", {0, 4}}};
  for (const Case& c : cases) check(c, ranges);
}

// Expressions put together at random from operators with integer results.
TEST(Bounds, HoldForRandomExpressions) {
  std::mt19937 random(7);
  const auto pick = [&random](int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
  };
  const auto build = [&](const auto& self, int depth) -> std::string {
    if (depth == 0) {
      const int kind = pick(4);
      return kind == 0 ? std::to_string(pick(9) - 4)
                       : std::string(1, static_cast<char>('a' + pick(3)));
    }
    static const char* const kHeads[] = {
        "Max(", "Min(", "FloorDiv(", "Mod(", "PythonMod(", "CeilDiv(", "PLUS", "TIMES"};
    const std::string head = kHeads[pick(8)];
    const std::string x = self(self, depth - 1);
    const std::string y = self(self, depth - 1);
    if (head == "PLUS") return "(" + x + ") + (" + y + ")";
    if (head == "TIMES") return "(" + x + ")*(" + y + ")";
    return head + x + ", " + y + ")";
  };
  int checked = 0;
  for (int round = 0; round < 1500; ++round) {
    ExprPool pool;
    const std::string text = build(build, 1 + pick(3));
    const Dim dim = pool.parse_infix(text);
    SymbolRanges ranges;
    for (const char* name : {"a", "b", "c"}) {
      const std::int64_t low = pick(7) - 3;
      ranges[name] = {low, low + pick(5)};
    }
    const Range bounds = pool.bounds(dim, ranges);
    each_value(pool, dim, ranges, [&](std::int64_t value) {
      ++checked;
      ASSERT_TRUE(!bounds.min || *bounds.min <= value) << text << " can be " << value;
      ASSERT_TRUE(!bounds.max || *bounds.max >= value) << text << " can be " << value;
    });
    EXPECT_EQ(pool.parse_infix(pool.print(dim)), dim) << text;
  }
  EXPECT_GT(checked, 10000);
}

// What torch answers for b in 4..9.
TEST(Bounds, AgreeWithTorch) {
  ExprPool pool;
  const SymbolRanges ranges = {{"b", {4, 9}}};
  const auto upper = [&](std::string_view text) {
    return pool.bounds(pool.parse_infix(text), ranges).max;
  };
  EXPECT_EQ(upper("(3*b)//2"), 13);
  EXPECT_EQ(upper("Mod(b, 3) + 4"), 6);
  EXPECT_EQ(upper("Max(b, 6)"), 9);
  EXPECT_EQ(upper("b + 2"), 11);
}

TEST(Bounds, AreAbsentWhereNothingBounds) {
  ExprPool pool;
  const SymbolRanges ranges = {{"s0", {2, std::nullopt}}, {"s1", {1, 4}}};
  const auto bounds = [&](std::string_view text) {
    return pool.bounds(pool.parse_infix(text), ranges);
  };
  EXPECT_EQ(bounds("s0"), (Range{2, std::nullopt}));
  EXPECT_EQ(bounds("s9"), (Range{std::nullopt, std::nullopt}));
  EXPECT_EQ(bounds("-3*s0 + s1"), (Range{std::nullopt, -2}));
  EXPECT_EQ(bounds("s1//(s1 - 2)"), (Range{std::nullopt, std::nullopt}));
  EXPECT_EQ(bounds("s1//s0"), (Range{0, 2}));
  EXPECT_EQ(bounds("Min(s0, 7)"), (Range{2, 7}));
  EXPECT_EQ(bounds("Mod(s0, 5)"), (Range{0, 4}));
  EXPECT_EQ(bounds("0*s0"), (Range{0, 0}));
}

TEST(Bounds, ClaimNothingAboutWhatIsNoInteger) {
  ExprPool pool;
  const SymbolRanges ranges = {{"a", {1, 2}}};
  const Range everything;
  // No integer lies in [0.3, 0.6], so nothing can be said of dividing by one.
  EXPECT_EQ(pool.bounds(pool.parse_infix("8//(0.3*a)"), ranges), everything);
  EXPECT_EQ(pool.bounds(pool.parse_infix("nan"), ranges), everything);
  EXPECT_EQ(pool.bounds(pool.parse_infix("(1/3)*a + (2/3)*a"), ranges), (Range{1, 2}));
}

TEST(Bounds, SaturateAt64Bits) {
  ExprPool pool;
  const SymbolRanges ranges = {{"s0", {2, INT64_MAX / 2}}};
  const auto bounds = [&](std::string_view text) {
    return pool.bounds(pool.parse_infix(text), ranges);
  };
  EXPECT_EQ(bounds("4*s0"), (Range{8, INT64_MAX}));
  EXPECT_EQ(bounds("-4*s0"), (Range{INT64_MIN, -8}));
  EXPECT_EQ(bounds("s0**2 + s0"), (Range{6, INT64_MAX}));
}

}  // namespace
}  // namespace ptec
