// Control flow in the unmodified ExecuTorch runtime: several calls on one loaded method, with the
// numbers of eager PyTorch.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <string>

#include "ptec/error.h"
#include "ptec/export.h"
#include "tests/runtime/check_loads.h"
#include "tests/runtime/fixture_case.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

std::string case_path(const std::string& name) {
  return fixture_path("control_flow/" + name).string();
}

Expectations eager_values(const std::string& name) {
  Expectations wanted;
  wanted.delegates = 0;
  wanted.calls = read_calls(case_path(name + ".json"));
  EXPECT_GE(wanted.calls.size(), 3u);
  return wanted;
}

class ControlFlowRuns : public testing::TestWithParam<std::string> {};

TEST_P(ControlFlowRuns, GivesEagerPyTorchsNumbersCallAfterCall) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  export_file(case_path(GetParam() + ".pt2"), output);
  EXPECT_TRUE(check_loads(output, eager_values(GetParam())).empty());
}

INSTANTIATE_TEST_SUITE_P(Archives,
                         ControlFlowRuns,
                         testing::Values("cond_around_others",
                                         "cond_both_sides",
                                         "cond_chain",
                                         "cond_dynamic",
                                         "cond_in_map",
                                         "cond_in_while",
                                         "cond_nested",
                                         "cond_twice",
                                         "cond_weights",
                                         "map_dynamic",
                                         "map_in_cond",
                                         "map_slices",
                                         "scan_carries",
                                         "scan_dynamic",
                                         "while_dynamic",
                                         "while_turns"),
                         [](const auto& test) { return test.param; });

/// Whether a program runs and gives eager PyTorch's numbers.
bool is_right(const std::string& path, const Expectations& wanted) {
  testing::TestPartResultArray results;
  try {
    const testing::ScopedFakeTestPartResultReporter reporter(&results);
    check_loads(path, wanted);
  } catch (const Error&) {
    return false;
  }
  for (int i = 0; i < results.size(); ++i) {
    if (results.GetTestPartResult(i).failed()) return false;
  }
  return true;
}

class ReferenceFault : public testing::TestWithParam<std::string> {};

// What docs/reference_faults.md says of these. If one is right some day, the reference's way is
// ours too.
TEST_P(ReferenceFault, GivesOtherNumbersOrFails) {
  EXPECT_FALSE(is_right(case_path(GetParam() + ".pte"), eager_values(GetParam())));
}

INSTANTIATE_TEST_SUITE_P(Programs,
                         ReferenceFault,
                         testing::Values("cond_around_others",
                                         "cond_chain",
                                         "cond_twice",
                                         "map_dynamic",
                                         "scan_dynamic"),
                         [](const auto& test) { return test.param; });

TEST(ReferenceFaults, IsNotClaimedOfAProgramThatIsRight) {
  EXPECT_TRUE(is_right(case_path("cond_nested.pte"), eager_values("cond_nested")));
}

}  // namespace
}  // namespace ptec::test
