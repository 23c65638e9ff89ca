// Programs as torch.export leaves them, with composite operators, views and writes in place, in the
// unmodified ExecuTorch runtime: several calls on one loaded method, with eager PyTorch's numbers.
// tools/edge_cases.py makes the archives.
#include <gtest/gtest.h>

#include <string>

#include "ptec/export.h"
#include "tests/runtime/check_loads.h"
#include "tests/runtime/fixture_case.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

class EdgeRuns : public testing::TestWithParam<std::string> {};

TEST_P(EdgeRuns, GivesEagerPyTorchsNumbersCallAfterCall) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  const std::string path = fixture_path("edge/" + GetParam()).string();
  ExportOptions options;
  options.init_buffers = true;
  export_file(path + ".pt2", output, options);
  Expectations wanted;
  wanted.delegates = 0;
  wanted.calls = read_calls(path + ".json");
  ASSERT_GE(wanted.calls.size(), 3u);
  EXPECT_TRUE(check_loads(output, wanted).empty());
}

INSTANTIATE_TEST_SUITE_P(Archives,
                         EdgeRuns,
                         testing::Values("channels_last_constant",
                                         "channels_last_kernels",
                                         "channels_last_weight",
                                         "composite_branches",
                                         "sizes_as_numbers",
                                         "writes_through_views"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace ptec::test
