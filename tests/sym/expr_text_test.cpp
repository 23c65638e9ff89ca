#include <gtest/gtest.h>

#include <string>

#include "sym/sym_expr.h"
#include "tests/support/expect_error.h"

namespace ptec {
namespace {

using test::fails_with;

std::string reprinted(std::string_view srepr) {
  ExprPool pool;
  return pool.print(pool.parse_srepr(srepr));
}

TEST(ParseSrepr, ReadsWhatTorchWrites) {
  // Texts from the archives of torch 2.14 in the fixtures.
  EXPECT_EQ(reprinted("Symbol('s77', positive=True, integer=True)"), "s77");
  EXPECT_EQ(reprinted("Add(Symbol('s33', positive=True, integer=True), Integer(1))"), "s33 + 1");
  EXPECT_EQ(reprinted("Mul(Integer(4), Pow(Symbol('s27', positive=True, integer=True), "
                      "Integer(2)))"),
            "4*s27**2");
  EXPECT_EQ(reprinted("Mul(Integer(3), Symbol('s6', positive=True, integer=True), "
                      "Symbol('s73', positive=True, integer=True))"),
            "3*s6*s73");
}

TEST(ParseSrepr, FoldsNumbers) {
  ExprPool pool;
  EXPECT_EQ(pool.parse_srepr("Integer(4)"), Dim(4));
  EXPECT_EQ(pool.parse_srepr("Integer(-9223372036854775808)"), Dim(INT64_MIN));
  EXPECT_EQ(pool.parse_srepr("FloorDiv(Integer(7), Integer(-2))"), Dim(-4));
  EXPECT_EQ(pool.parse_srepr("true"), Dim(1));
}

TEST(ParseSrepr, KnowsASymbolByItsNameAlone) {
  ExprPool pool;
  EXPECT_EQ(pool.parse_srepr("Symbol('s0', positive=True)"), pool.parse_srepr("Symbol('s0')"));
}

TEST(ParseSrepr, GivesOneIdForOneContent) {
  ExprPool pool;
  const Dim a = pool.parse_srepr("Add(Symbol('b'), Symbol('a'), Integer(1), Integer(2))");
  const Dim b = pool.parse_srepr("Add(Integer(3), Add(Symbol('a'), Symbol('b')))");
  EXPECT_EQ(a, b);
  EXPECT_EQ(pool.print(a), "a + b + 3");
  EXPECT_EQ(pool.parse_srepr("Mul(Integer(-1), Integer(2), Symbol('x'))"),
            pool.parse_srepr("Mul(Symbol('x'), Integer(-2))"));
}

TEST(ParseSrepr, ReadsEveryHead) {
  ExprPool pool;
  int read = 0;
  const auto read_head = [&](std::string_view head, int arity) {
    if (arity == 0) return;
    std::string text(head);
    if (text == "OpaqueUnaryFn_") text += "sqrt";
    text += '(';
    for (int i = 0; i < arity; ++i)
      text += std::string(i > 0 ? ", " : "") + "Symbol('x" + std::to_string(i) + "')";
    const Dim dim = pool.parse_srepr(text + ")");
    EXPECT_EQ(pool.parse_infix(pool.print(dim)), dim) << text;
    ++read;
  };
#define PTEC_EXPR_OP(id, head, min_arity, max_arity) read_head(head, min_arity);
#include "sym/expr_ops.def"
#undef PTEC_EXPR_OP
  EXPECT_GT(read, 40);
}

TEST(ParseSrepr, bad_TextsSayWhere) {
  ExprPool pool;
  const auto malformed = [&](std::string_view text, std::string_view part) {
    return fails_with(ErrorCode::Malformed, part, [&] { pool.parse_srepr(text); });
  };
  EXPECT_TRUE(malformed("", "wanted an expression at position 0"));
  EXPECT_TRUE(malformed("Integer(4", "wanted ')' at position 9"));
  EXPECT_TRUE(malformed("Integer(4))", "wanted the end at position 10"));
  EXPECT_TRUE(malformed("__import__('os')", "unknown head '__import__'"));
  EXPECT_TRUE(malformed("s77", "unknown name 's77'"));
  EXPECT_TRUE(malformed("Symbol('s77)", "not closed"));
  EXPECT_TRUE(malformed("Symbol('')", "Symbol takes one name"));
  EXPECT_TRUE(malformed("Mod(Symbol('a'))", "Mod does not take 1 arguments"));
  EXPECT_TRUE(malformed("Rational(1, 0)", "the denominator is 0"));
  EXPECT_TRUE(malformed("Integer(99999999999999999999)", "does not fit in 64 bits"));
  EXPECT_TRUE(malformed("Float('nan', precision=53)", "no finite number"));
  EXPECT_TRUE(
      malformed("IsNonOverlappingAndDenseIndicator(Integer(1), Integer(1))", "unknown head"));
}

TEST(ParseSrepr, bad_DepthAndLengthHaveLimits) {
  ExprPool pool;
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += "Abs(";
  EXPECT_TRUE(fails_with(ErrorCode::Limit, "256 levels", [&] { pool.parse_srepr(deep); }));
  EXPECT_TRUE(fails_with(
      ErrorCode::Limit, "at most 65536", [&] { pool.parse_srepr(std::string(70000, ' ')); }));
  EXPECT_TRUE(
      fails_with(ErrorCode::Limit, "256 levels", [&] { pool.parse_infix(std::string(300, '(')); }));
}

TEST(ParseInfix, PrintsTheSameTextAgain) {
  for (const std::string_view text : {"s0",
                                      "4*s7 + 1",
                                      "s0 - 2*s1 - 3",
                                      "-s0",
                                      "-1*2**s0",
                                      "(s0 + 1)//2",
                                      "3*(s0//2)",
                                      "(s0*s1)//(s0 + 4)",
                                      "Max(6, s0)",
                                      "Where(StrictLessThan(s0, 3), s0, s1)",
                                      "(1/2)*s0",
                                      "s0**(1/2)",
                                      "s0**(-1)",
                                      "0.5*s0",
                                      "Min(int_oo, s0)",
                                      "Symbol(\"odd name\") + Symbol(\"oo\")",
                                      "-9223372036854775808 + s0"}) {
    ExprPool pool;
    const std::string printed = pool.print(pool.parse_infix(text));
    EXPECT_EQ(pool.print(pool.parse_infix(printed)), printed) << text;
  }
  ExprPool pool;
  EXPECT_EQ(pool.print(pool.parse_infix("1+s7 * 4")), "4*s7 + 1");
  EXPECT_EQ(pool.print(pool.parse_infix("a - 2*b")), "a - 2*b");
  EXPECT_EQ(pool.parse_infix("12"), Dim(12));
}

TEST(ParseInfix, bad_TextsSayWhere) {
  ExprPool pool;
  const auto malformed = [&](std::string_view text, std::string_view part) {
    return fails_with(ErrorCode::Malformed, part, [&] { pool.parse_infix(text); });
  };
  EXPECT_TRUE(malformed("4*", "wanted an expression at position 2"));
  EXPECT_TRUE(malformed("a/b", "'/' stands between two integers"));
  EXPECT_TRUE(malformed("1/0", "the second not 0"));
  EXPECT_TRUE(malformed("f(a)", "unknown head 'f'"));
  EXPECT_TRUE(malformed("(a", "wanted ')'"));
}

TEST(Intern, KeepsTheFirstHint) {
  ExprPool pool;
  Expr expr;
  expr.op = ExprOp::Symbol;
  expr.symbol = "s0";
  const ExprId id = pool.intern(expr);
  EXPECT_FALSE(pool.at(id).hint);
  expr.hint = 4;
  EXPECT_EQ(pool.intern(expr), id);
  expr.hint = 5;
  EXPECT_EQ(pool.intern(expr), id);
  EXPECT_EQ(pool.at(id).hint, 4);
}

TEST(Symbols, AreSortedAndEachOnce) {
  ExprPool pool;
  EXPECT_EQ(pool.symbols(pool.parse_infix("b*a + b + 2")), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(pool.symbols(Dim(3)).empty());
}

TEST(Evaluate, GivesPythonsResults) {
  ExprPool pool;
  const auto value = [&](std::string_view text) {
    return pool.evaluate(pool.parse_infix(text), {{"a", -7}, {"b", 2}, {"c", 10}});
  };
  EXPECT_EQ(value("a//b"), -4);
  EXPECT_EQ(value("PythonMod(a, b)"), 1);
  EXPECT_EQ(value("PythonMod(7*b, a)"), 0);
  EXPECT_EQ(value("CeilDiv(c, 3)"), 4);
  EXPECT_EQ(value("ModularIndexing(c, b, 3)"), 2);
  EXPECT_EQ(value("c**b"), 100);
  EXPECT_EQ(value("(1/2)*c"), 5);
  EXPECT_EQ(value("(1/3)*c"), std::nullopt);
  EXPECT_EQ(value("TruncToInt(IntTrueDiv(a, b))"), -3);
  EXPECT_EQ(value("FloorToInt(IntTrueDiv(a, b))"), -4);
  EXPECT_EQ(value("CeilToInt(IntTrueDiv(a, b))"), -3);
  EXPECT_EQ(value("RoundToInt(IntTrueDiv(c, 4))"), 2);
  EXPECT_EQ(value("Where(StrictLessThan(a, b), c, b)"), 10);
  EXPECT_EQ(value("Piecewise(ExprCondPair(a, Equality(b, 3)), ExprCondPair(c, true))"), 10);
  EXPECT_EQ(value("a//(b - 2)"), std::nullopt);
  EXPECT_EQ(value("9223372036854775807*c"), std::nullopt);
  EXPECT_EQ(value("And(a)"), 1);
  EXPECT_EQ(value("d"), std::nullopt);
}

}  // namespace
}  // namespace ptec
