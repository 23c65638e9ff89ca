#include "edge/check.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ptec/error.h"

namespace ptec::edge {
namespace {

TEST(Check, PassesWhatTheTableHas) {
  check_exportable(parse_program(R"(
    method forward(%x: f32[2,4]) {
      %y: f32[2,4] = aten::relu.default(%x)
      return (%y)
    })"));
}

TEST(Check, bad_ReportsAllProblemsAtOnceByNode) {
  const Program program = parse_program(R"(
    method forward(%x: f32[2,4]) {
      %a: f32[2,4] = aten::_cslt_compress.default(%x)
      %b: f32[2,4] = aten::relu_.default(%a)
      %c: f32[2,4] = aten::add.Tensor(%b, %x, beta=2)
      %d: f32[2,4] = aten::add.Tensor(%c)
      return (%d)
    })");
  try {
    check_exportable(program);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    ASSERT_EQ(error.problems().size(), 4u) << error.what();
    EXPECT_EQ(error.problems()[0].find("node 'a': aten::_cslt_compress.default has no out form"),
              0u)
        << error.problems()[0];
    EXPECT_EQ(error.problems()[1].find("node 'b': aten::relu_.default writes in place"), 0u)
        << error.problems()[1];
    EXPECT_EQ(error.problems()[2], "node 'c': aten::add.Tensor has no argument 'beta'");
    EXPECT_EQ(error.problems()[3], "node 'd': aten::add.Tensor misses its argument 'other'");
  }
}

}  // namespace
}  // namespace ptec::edge
