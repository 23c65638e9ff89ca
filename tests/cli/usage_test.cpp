// Options, help, versions.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Usage, HelpListsEveryVerb) {
  const ProcessResult result = run_ptec({"--help"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  for (const char* verb : {"export", "inspect", "run", "--version", "--help"}) {
    EXPECT_TRUE(has(result.output, verb)) << verb;
  }
  EXPECT_EQ(result.errors, "");
}

TEST(Usage, HelpOfExportListsEveryOption) {
  const ProcessResult result = run_ptec({"export", "--help"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  for (const char* option : {"input",
                             "-o",
                             "--output",
                             "--quiet",
                             "--help",
                             "--json",
                             "--max",
                             "--require-kernels",
                             "--lower-missing"}) {
    EXPECT_TRUE(has(result.output, option)) << option;
  }
}

TEST(Usage, HelpOfInspectListsEveryOption) {
  const ProcessResult result = run_ptec({"inspect", "--help"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  for (const char* option : {"file", "--json", "--help"}) {
    EXPECT_TRUE(has(result.output, option)) << option;
  }
}

TEST(Usage, VersionIsOneLineWithThreeNumbers) {
  const ProcessResult result = run_ptec({"--version"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_EQ(result.output, "ptec " PTEC_VERSION "\n");
}

TEST(Usage, bad_NoVerb) { expect_failure(run_ptec({}), 2, {"ubcommand"}); }

TEST(Usage, bad_UnknownVerb) { EXPECT_EQ(run_ptec({"compile", "x.pt2"}).exit_status, 2); }

TEST(Usage, bad_UnknownOption) {
  expect_failure(run_ptec({"export", "x.pt2", "-o", "y.pte", "--fast"}), 2, {"--fast"});
}

TEST(Usage, bad_ExportWithoutOutput) {
  expect_failure(run_ptec({"export", "x.pt2"}), 2, {"--output"});
}

TEST(Usage, bad_ExportWithoutInput) {
  expect_failure(run_ptec({"export", "-o", "y.pte"}), 2, {"input"});
}

TEST(Usage, QuietPrintsNothing) {
  const ScratchFolder scratch;
  const ProcessResult result =
      run_export(fixture_path("mlp_static.pt2").string(), scratch.file("out.pte"));
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.errors, "");
}

TEST(Usage, WithoutQuietThereIsOneClosingLine) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  const ProcessResult result =
      run_ptec({"export", fixture_path("mlp_static.pt2").string(), "-o", output});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.output, output + ": 21300 bytes\n");
}

TEST(Usage, InspectShowsArchivesAndPrograms) {
  const std::vector<std::pair<std::string, std::string>> kFiles = {
      {"mlp_static.pt2", "torch.export archive"}, {"mlp_static.pte", "ExecuTorch program"}};
  for (const auto& [name, words] : kFiles) {
    const ProcessResult text = run_ptec({"inspect", fixture_path(name).string()});
    EXPECT_EQ(text.exit_status, 0) << text.errors;
    EXPECT_TRUE(has(text.output, words)) << text.output;
    EXPECT_TRUE(has(text.output, "float32[2, 16]")) << text.output;
    const ProcessResult json = run_ptec({"inspect", "--json", fixture_path(name).string()});
    EXPECT_EQ(json.exit_status, 0) << json.errors;
    ASSERT_FALSE(json.output.empty());
    EXPECT_EQ(json.output.front(), '{');
  }
}

}  // namespace
}  // namespace ptec::test
