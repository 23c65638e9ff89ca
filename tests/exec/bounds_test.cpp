#include "exec/bounds.h"

#include <gtest/gtest.h>

#include "exec/specs.h"
#include "ptec/error.h"

namespace ptec::edge {
namespace {

/// A program with one input of the given sizes over the symbol s0, whose example value is 4.
Program with_input(Range range, std::int64_t factor) {
  Program program;
  Expr symbol;
  symbol.op = ExprOp::Symbol;
  symbol.symbol = "s0";
  symbol.hint = 4;
  const ExprId s0 = program.exprs.intern(symbol);
  Dim size = Dim::of_expr(s0);
  if (factor != 1) {
    Expr product;
    product.op = ExprOp::Mul;
    product.args = {program.exprs.integer(factor), s0};
    size = Dim::of_expr(program.exprs.intern(product));
  }
  program.ranges["s0"] = range;
  Node input;
  input.kind = NodeKind::Placeholder;
  input.name = "x";
  TensorMeta meta;
  meta.sizes = {size, Dim(3)};
  meta.strides = {Dim(3), Dim(1)};
  input.value.v = meta;
  InputSpec spec;
  spec.node = program.graph.insert(std::move(input));
  program.inputs.push_back(spec);
  return program;
}

TEST(Bounds, TakesTheUpperEndOfTheExpression) {
  Program program = with_input({1, 8}, 2);
  make_specs(program);
  EXPECT_TRUE(program.specs[0].dynamic);
  bound_shapes(program);
  EXPECT_EQ(program.specs[0].sizes, (std::vector<Dim>{Dim(16), Dim(3)}));
  EXPECT_TRUE(program.specs[0].dynamic);
}

TEST(Bounds, bad_SizeThatIsAlwaysNegativeIsMalformed) {
  Program program = with_input({1, 8}, -2);
  make_specs(program);
  try {
    bound_shapes(program);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Malformed);
    EXPECT_EQ(std::string(error.what()),
              "'-2*s0' in the shape of 'x' is at most -2; no size or stride is negative");
  }
}

TEST(Bounds, bad_SymbolWithoutUpperBoundIsRefusedNotPlannedAtTheExample) {
  Program program = with_input({2, std::nullopt}, 1);
  make_specs(program);
  try {
    bound_shapes(program);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_NE(std::string(error.what()).find("'s0' in the shape of 'x' has no upper bound"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ptec::edge
