#include "ops/ops.h"

#include <gtest/gtest.h>

#include "torch_export/operator_arguments.h"

namespace ptec::edge {
namespace {

TEST(Ops, EveryRowParses) {
  ASSERT_FALSE(op_rows().empty());
  for (const OpRow& row : op_rows()) {
    const OpSchema schema = parse_op_row(row);
    EXPECT_FALSE(schema.arguments.empty()) << row.functional;
    EXPECT_EQ(schema.outs.empty(), schema.scalar_result || schema.writes_self) << row.functional;
    EXPECT_NE(row.out.find("::"), std::string_view::npos) << row.functional;
    EXPECT_NE(row.out.rfind('.'), std::string_view::npos) << row.functional;
    EXPECT_EQ(find_op(row.functional)->out, row.out);
    EXPECT_EQ(find_op_by_out(row.out)->functional, row.functional);
    bool keyword_only = false;
    for (const ArgumentSchema& argument : schema.arguments) {
      EXPECT_GE(argument.keyword_only, keyword_only)
          << row.functional << ": positional after keyword-only";
      keyword_only = argument.keyword_only;
    }
  }
}

// The names come from torch itself; the rows of ops.def were written by hand.
TEST(Ops, EveryRowNamesItsArgumentsAsTorchDoes) {
  std::size_t compared = 0;
  for (const OpRow& row : op_rows()) {
    std::optional<ArgumentNames> names = find_argument_names(row.functional);
    if (!names) continue;
    ++compared;
    for (const ArgumentSchema& argument : parse_op_row(row).arguments) {
      std::optional<ArgumentName> wanted = names->next();
      // A row may leave out what the out tensor carries.
      while (wanted && wanted->name != argument.name && wanted->has_default) wanted = names->next();
      ASSERT_TRUE(wanted) << row.functional << ": " << argument.name;
      EXPECT_EQ(argument.name, wanted->name) << row.functional;
      EXPECT_EQ(argument.keyword_only, wanted->keyword_only) << row.functional;
    }
  }
  EXPECT_GT(compared, 100u);
}

TEST(Ops, EveryRowWithoutKernelParses) {
  ASSERT_FALSE(op_rows_without_kernel().empty());
  for (const OpRow& row : op_rows_without_kernel()) {
    const OpSchema schema = parse_op_row(row);
    EXPECT_FALSE(schema.outs.empty()) << row.functional;
    ASSERT_NE(find_op(row.functional), nullptr);
    EXPECT_EQ(find_op(row.functional)->out, row.out);
    EXPECT_FALSE(find_op(row.functional)->has_kernel) << row.functional;
    EXPECT_EQ(find_op_by_out(row.out)->functional, row.functional);
  }
}

TEST(Ops, RowsOfTheFirstTableHaveKernels) {
  for (const OpRow& row : op_rows()) EXPECT_TRUE(find_op(row.functional)->has_kernel);
}

TEST(Ops, AbsentRowIsNull) { EXPECT_EQ(find_op("aten::no_such_op.default"), nullptr); }

TEST(Ops, ParsesKindsAndDefaults) {
  const OpSchema schema =
      parse_op_row({"a::b.c",
                    "a::b.out",
                    "x:T w:T? xs:T[] ys:T?[] n:i=-1 k:i[2]=0 f:f=0.5 *s:str=none d:dtype?=None",
                    "out",
                    ""});
  ASSERT_EQ(schema.arguments.size(), 9u);
  EXPECT_FALSE(schema.arguments[0].optional);
  EXPECT_TRUE(schema.arguments[1].optional);
  EXPECT_TRUE(schema.arguments[2].list);
  EXPECT_TRUE(schema.arguments[3].optional_items);
  EXPECT_EQ(std::get<std::int64_t>(schema.arguments[4].default_value->v), -1);
  EXPECT_EQ(schema.arguments[5].default_value->list()->size(), 2u);
  EXPECT_EQ(std::get<double>(schema.arguments[6].default_value->v), 0.5);
  EXPECT_FALSE(schema.arguments[6].keyword_only);
  EXPECT_TRUE(schema.arguments[7].keyword_only);
  EXPECT_EQ(std::get<std::string>(schema.arguments[7].default_value->v), "none");
  EXPECT_TRUE(schema.arguments[8].default_value->is_none());
}

}  // namespace
}  // namespace ptec::edge
