#include "ops/missing_kernels.h"

#include <gtest/gtest.h>

#include "edge/check.h"
#include "ir/text.h"
#include "support/error.h"

namespace ptec::edge {
namespace {

constexpr std::string_view kProgram = R"(
method forward(%x: f32[2,4]) {
  %erfinv: f32[2,4] = aten::erfinv.default(%x)
  %relu: f32[2,4] = aten::relu.default(%erfinv)
  %a: f32[2,4] = aten::cumprod.default(%relu, 0)
  %b: f32[2,4] = aten::cumprod.default(%a, 0)
  return (%b)
}
)";

TEST(MissingKernels, AreListedByNameWithTheNodesThatCallThem) {
  const auto missing = find_missing_kernels(parse_program(kProgram).graph);
  ASSERT_EQ(missing.size(), 2u);
  EXPECT_EQ(missing_kernels_text(missing),
            "aten::cumprod.out (nodes 'a', 'b'), aten::erfinv.out (node 'erfinv')");
}

TEST(MissingKernels, ALongListOfNodesIsCut) {
  EXPECT_EQ(missing_kernels_text({{"aten::sort.values", {"a", "b", "c", "d", "e", "f"}}}),
            "aten::sort.values (nodes 'a', 'b', 'c', 'd' and 2 more)");
}

TEST(MissingKernels, AreNoProblemUnlessKernelsAreRequired) {
  EXPECT_NO_THROW(check_exportable(parse_program(kProgram)));
}

TEST(MissingKernels, bad_RequiredKernelsAreOneProblemBesideTheOthers) {
  Program program = parse_program(R"(
method forward(%x: f32[2,4]) {
  %y: f32[2,4] = aten::erfinv.default(%x)
  %z: f32[2,4] = aten::no_such_operator.default(%y)
  return (%z)
}
)");
  try {
    check_exportable(program, {.require_kernels = true});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    ASSERT_EQ(error.problems().size(), 2u);
    EXPECT_NE(error.problems()[1].find("no kernel for aten::erfinv.out (node 'y')"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ptec::edge
