// Options, help, versions.
#include <gtest/gtest.h>

#include <filesystem>
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
  for (const char* verb : {"export", "inspect", "run", "help", "--version", "--help"}) {
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
                             "--external-constants",
                             "--external",
                             "--require-kernels",
                             "--lower-missing"}) {
    EXPECT_TRUE(has(result.output, option)) << option;
  }
}

TEST(Usage, HelpOfInspectListsEveryOption) {
  const ProcessResult result = run_ptec({"inspect", "--help"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  for (const char* option : {"file", "--json", "--graph", "--help"}) {
    EXPECT_TRUE(has(result.output, option)) << option;
  }
}

TEST(Usage, HelpOfRunNeedsNoRunner) {
  const ScratchFolder scratch;
  const std::string lonely = scratch.file("ptec");
  std::filesystem::copy_file(PTEC_BINARY, lonely);
  const ProcessResult result = run_process({lonely, "run", "--help"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  for (const char* option : {"file", "--input", "--method", "--output-dir", "--full"}) {
    EXPECT_TRUE(has(result.output, option)) << option;
  }
  const ProcessResult run = run_process({lonely, "run", "x.pte"});
  expect_failure(run, 3, {"put ptec-run beside ptec"});
}

TEST(Usage, TheVerbHelpSaysWhatTheOptionDoes) {
  EXPECT_EQ(run_ptec({"help"}).output, run_ptec({"--help"}).output);
  for (const char* verb : {"export", "inspect", "run"}) {
    const ProcessResult result = run_ptec({"help", verb});
    EXPECT_EQ(result.exit_status, 0) << result.errors;
    EXPECT_TRUE(has(result.output, "Usage: ptec " + std::string(verb))) << result.output;
    EXPECT_EQ(result.output, run_ptec({verb, "--help"}).output) << verb;
  }
}

TEST(Usage, bad_HelpOfNoVerb) {
  expect_failure(run_ptec({"help", "compile"}), 2, {"there is no verb 'compile'"});
}

TEST(Usage, VersionIsOneLineWithThreeNumbers) {
  const ProcessResult result = run_ptec({"--version"});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_EQ(result.output, "ptec " PTEC_VERSION "\n");
}

TEST(Usage, bad_NoVerb) { expect_failure(run_ptec({}), 2, {"ubcommand"}); }

TEST(Usage, bad_UnknownVerb) {
  expect_failure(run_ptec({"compile", "x.pt2"}), 2, {"there is no verb 'compile'", "--help"});
}

TEST(Usage, bad_UnknownOption) {
  expect_failure(run_ptec({"export", "x.pt2", "-o", "y.pte", "--fast"}), 2, {"--fast"});
}

TEST(Usage, bad_ExportWithoutOutput) {
  expect_failure(run_ptec({"export", "x.pt2"}), 2, {"--output"});
}

TEST(Usage, bad_ExportWithoutInput) {
  expect_failure(run_ptec({"export", "-o", "y.pte"}), 2, {"input"});
}

TEST(Usage, bad_CommandLinesPointToTheHelpOfTheirVerb) {
  expect_failure(run_ptec({"export", "x.pt2"}), 2, {"; see 'ptec export --help'"});
  expect_failure(run_ptec({"inspect"}), 2, {"; see 'ptec inspect --help'"});
  expect_failure(run_ptec({}), 2, {"; see 'ptec --help'"});
}

TEST(Usage, bad_AMistypedOptionIsNamedBeforeWhatIsMissing) {
  expect_failure(run_ptec({"export", "x.pt2", "--outptu", "y.pte"}),
                 2,
                 {"there is no option '--outptu'; see 'ptec export --help'"});
  expect_failure(run_ptec({"inspect", "--jsn"}), 2, {"there is no option '--jsn'"});
  expect_failure(run_ptec({"export", "--level=3"}), 2, {"there is no option '--level'"});
}

TEST(Usage, bad_FlagsTakeNoValue) {
  const std::string file = fixture_path("mlp_static.pt2").string();
  expect_failure(run_ptec({"inspect", "--json=no", file}), 2, {"option '--json' takes no value"});
  expect_failure(run_ptec({"inspect", "--graph=no", file}), 2, {"--graph"});
  expect_failure(run_ptec({"export", "--quiet=no", file, "-o", "y.pte"}), 2, {"--quiet"});
}

TEST(Usage, bad_DashIsNoFile) {
  const ScratchFolder scratch;
  ProcessOptions options;
  options.folder = scratch.path().string();
  const std::string file = fixture_path("mlp_static.pt2").string();
  expect_failure(run_ptec({"export", file, "-o", "-"}, options),
                 2,
                 {"'-' is no file name here", "standard output", "./-"});
  expect_failure(run_ptec({"export", "-", "-o", "y.pte"}, options), 2, {"standard input"});
  expect_failure(run_ptec({"inspect", "-"}, options), 2, {"standard input"});
  EXPECT_TRUE(scratch.names().empty());
  EXPECT_EQ(run_ptec({"export", file, "-o", "./-", "-q"}, options).exit_status, 0);
  EXPECT_EQ(run_ptec({"inspect", "./-"}, options).exit_status, 0);
}

TEST(Usage, InspectShowsTheGraphOfAnArchive) {
  const ProcessResult result =
      run_ptec({"inspect", "--graph", fixture_path("zero_engine.pt2").string()});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_TRUE(has(result.output, "method forward(")) << result.output;
  EXPECT_EQ(result.output.substr(result.output.size() - 3), "\n}\n");
}

TEST(Usage, bad_TheGraphOfAProgramOrAsJson) {
  expect_failure(run_ptec({"inspect", "--graph", fixture_path("zero_engine.pte").string()}),
                 2,
                 {"has instructions and no graph"});
  expect_failure(run_ptec({"inspect", "--graph", "--json", "x.pt2"}), 2, {"--graph", "--json"});
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
