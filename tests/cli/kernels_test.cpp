// Operators that the stock runtime has no kernel for.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string fixture(const std::string& name) { return fixture_path("kernels/" + name).string(); }

TEST(Kernels, WithoutAnyTheFileIsTheReferencesAndOneWarningListsThem) {
  const ScratchFolder scratch;
  const ProcessResult result = run_export(fixture("no_kernels.pt2"), scratch.file("out.pte"));
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_TRUE(read_file(scratch.file("out.pte")) == read_file(fixture("no_kernels.pte")));
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  EXPECT_EQ(result.errors.rfind("ptec: warning: ", 0), 0u) << result.errors;
  for (const char* words : {"aten::avg_pool3d.out (node 'avg_pool3d')",
                            "aten::cumprod.out",
                            "aten::erfinv.out",
                            "aten::kthvalue.values",
                            "aten::lgamma.out",
                            "aten::median.dim_values",
                            "aten::sort.values (nodes 'sort', 'sort_1')",
                            "--lower-missing",
                            "--require-kernels"}) {
    EXPECT_TRUE(has(result.errors, words)) << words << " in " << result.errors;
  }
}

TEST(Kernels, SortAloneIsTheReferencesFileToo) {
  const ScratchFolder scratch;
  const ProcessResult result = run_export(fixture("sort_values.pt2"), scratch.file("out.pte"));
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_TRUE(read_file(scratch.file("out.pte")) == read_file(fixture("sort_values.pte")));
}

TEST(Kernels, JsonListsThemByMethod) {
  const ScratchFolder scratch;
  const ProcessResult result = run_ptec(
      {"export", "--json", "m=" + fixture("no_kernels.pt2"), "-o", scratch.file("out.pte")});
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_TRUE(has(result.output, "\"kernel\": \"aten::sort.values\"")) << result.output;
  EXPECT_TRUE(has(result.output, "\"method\": \"m\"")) << result.output;
  EXPECT_TRUE(has(result.output, "\"sort_1\"")) << result.output;
}

TEST(Kernels, LoweringTheMissingOnesLeavesWhatHasNoExactEqual) {
  const ScratchFolder scratch;
  const ProcessResult result = run_ptec({"export",
                                         "--quiet",
                                         "--lower-missing",
                                         fixture("no_kernels.pt2"),
                                         "-o",
                                         scratch.file("out.pte")});
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  // The indices of the first sort are returned; the second one's are not.
  EXPECT_TRUE(has(result.errors, "aten::sort.values (node 'sort')")) << result.errors;
  EXPECT_TRUE(has(result.errors, "aten::erfinv.out")) << result.errors;
}

TEST(Kernels, bad_RequiredOnesThatAreMissing) {
  const ScratchFolder scratch;
  const ProcessResult result = run_ptec({"export",
                                         "--require-kernels",
                                         "--quiet",
                                         fixture("no_kernels.pt2"),
                                         "-o",
                                         scratch.file("out.pte")});
  expect_failure(result,
                 5,
                 {"aten::avg_pool3d.out",
                  "aten::cumprod.out",
                  "aten::erfinv.out",
                  "aten::kthvalue.values",
                  "aten::lgamma.out",
                  "aten::median.dim_values",
                  "aten::sort.values (nodes 'sort', 'sort_1')"});
  EXPECT_TRUE(scratch.names().empty());
}

}  // namespace
}  // namespace ptec::test
