// What an archive records about results is compared with what its operators return.
#include "edge/check_values.h"

#include <gtest/gtest.h>

#include <string>

#include "ir/text.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

void check(std::string_view text) {
  Program program = parse_program(text);
  check_recorded_values(program);
}

TEST(CheckValues, TakesWhatTorchRecordsForAnyOverNoDims) {
  check(R"(
    method forward(%x: f32[2,3]) {
      %y: b8[2,3] = aten::any.dims(%x, [])
      %z: b8[] = aten::any.dims(%x)
      return (%y, %z)
    })");
}

TEST(CheckValues, LeavesWhatNoRuleCoversToThePassesAfterIt) {
  check(R"(
    symbol s0 in [2, 4] hint 2
    symbol u0 in [0, 8]
    method forward(%x: f32[8,s0], %m: b8[8]) {
      %n: int(s0) = aten::sym_size.int(%x, 1)
      %y: f32[4,s0] = aten::slice.Tensor(%x, 0, 0, 8, %n)
      %z: f32[u0,s0] = aten::index.Tensor(%x, [%m])
      return (%y, %z)
    })");
}

TEST(CheckValues, bad_EachResultThatAnOperatorCannotGive) {
  try {
    check(R"(
      method forward(%x: f32[2,3]) {
        %y: f32[2,4] = aten::relu.default(%x)
        %z: i64[2,4] = aten::relu.default(%y)
        return (%y, %z)
      })");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Malformed);
    EXPECT_EQ(error.problems().size(), 2u);
    EXPECT_NE(std::string(error.what()).find("node 'y': aten::relu.default returns"),
              std::string::npos)
        << error.what();
  }
}

TEST(CheckValues, bad_ArgumentsThatMakeNoSense) {
  try {
    check(R"(
      method forward(%x: f32[2,3]) {
        %y: f32[2,3] = aten::permute.default(%x, [0])
        return (%y)
      })");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Malformed);
  }
}

TEST(CheckValues, bad_ASizePastSixtyThreeBitsIsALimitAndIsNotSwallowed) {
  try {
    check(R"(
      method forward(%x: f32[4611686018427387904,1]) {
        %y: f32[4611686018427387904,8] = aten::repeat.default(%x, [4, 1])
        return (%y)
      })");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Limit);
  }
}

}  // namespace
}  // namespace ptec::edge
