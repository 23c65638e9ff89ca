// Constants beside the program.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultFile = "_default_external_constant.ptd";

std::string fixture(const std::string& name) { return fixture_path(name).string(); }

const std::vector<std::string>& three_methods() {
  static const std::vector<std::string> methods = {
      "summarise text=" + fixture("methods_shared.summarise text.pt2"),
      "b-2=" + fixture("methods_shared.b-2.pt2"),
      "Zoom=" + fixture("methods_shared.Zoom.pt2")};
  return methods;
}

ProcessResult export_with(const std::vector<std::string>& options,
                          const std::vector<std::string>& archives,
                          const ScratchFolder& scratch) {
  std::vector<std::string> arguments = {"export", "--quiet", "-o", scratch.file("out.pte")};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.insert(arguments.end(), archives.begin(), archives.end());
  return run_ptec(arguments);
}

void expect_same(const std::string& ours, const fs::path& theirs) {
  EXPECT_TRUE(read_file(ours) == read_file(theirs)) << theirs;
}

TEST(External, AllConstantsOfThreeMethodsAreTheReferencesFiles) {
  const ScratchFolder scratch;
  const ProcessResult result = export_with({"--external-constants"}, three_methods(), scratch);
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  expect_same(scratch.file("out.pte"), fixture("external/all.pte"));
  expect_same(scratch.file(kDefaultFile), fixture("external/all.ptd"));
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{kDefaultFile, "out.pte"}));
}

TEST(External, ChosenConstantsAreTheReferencesFilesOfTheSameChoice) {
  const ScratchFolder scratch;
  const ProcessResult result = export_with(
      {"--external", "*table*=tables", "--external", "tied=weights.ptd"}, three_methods(), scratch);
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  expect_same(scratch.file("out.pte"), fixture("external/chosen.pte"));
  expect_same(scratch.file("tables.ptd"), fixture("external/tables.ptd"));
  expect_same(scratch.file("weights.ptd"), fixture("external/weights.ptd"));
}

TEST(External, EveryElementTypeLayoutAndAnEmptyTensorAreTheReferencesFiles) {
  const ScratchFolder scratch;
  const ProcessResult result =
      export_with({"--external-constants"}, {fixture("external/external_kinds.pt2")}, scratch);
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  expect_same(scratch.file("out.pte"), fixture("external/external_kinds.pte"));
  expect_same(scratch.file(kDefaultFile), fixture("external/external_kinds.ptd"));
}

TEST(External, BesideAnEngineTheyAreTheReferencesFiles) {
  PTEC_REQUIRE_SHARED_DIR(shared);
  for (const char* name : {"external_constants", "external_constants.legacy"}) {
    const ScratchFolder scratch;
    const std::string begin = (shared / "fixtures" / name).string();
    const ProcessResult result = export_with({"--external-constants"}, {begin + ".pt2"}, scratch);
    ASSERT_EQ(result.exit_status, 0) << result.errors;
    expect_same(scratch.file("out.pte"), begin + ".pte");
    expect_same(scratch.file(kDefaultFile), fs::path(begin + ".ptd") / kDefaultFile);
  }
}

TEST(External, TheFirstPatternThatMatchesCountsAndTheRestGoesToTheDefault) {
  const ScratchFolder scratch;
  const ProcessResult result = export_with(
      {"--external", "table=first", "--external", "*=second"}, three_methods(), scratch);
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"first.ptd", "out.pte", "second.ptd"}));
}

TEST(External, APatternThatMatchesNothingIsWarnedOf) {
  const ScratchFolder scratch;
  const ProcessResult result = export_with({"--external", "no.such*=x"}, three_methods(), scratch);
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_NE(result.errors.find("'no.such*': no constant has such a name"), std::string::npos)
      << result.errors;
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out.pte"});
}

TEST(External, bad_NoPlainFileName) {
  for (const char* file : {"a/b", "..", ".ptd", "/x"}) {
    const ScratchFolder scratch;
    expect_failure(export_with({"--external", std::string("*=") + file}, three_methods(), scratch),
                   2,
                   {"is no name for a data file", "plain file name"});
    EXPECT_TRUE(scratch.names().empty());
  }
}

TEST(External, bad_NoPattern) {
  const ScratchFolder scratch;
  for (const char* text : {"x", "=x", "x="})
    expect_failure(
        export_with({"--external", text}, three_methods(), scratch), 2, {"PATTERN=FILE"});
}

TEST(External, bad_TheProgramsOwnName) {
  const ScratchFolder scratch;
  const ProcessResult result = run_ptec(
      {"export", "--external", "*=out", "-o", scratch.file("out.ptd"), three_methods()[0]});
  expect_failure(result, 2, {"out.ptd' is the program or an archive"});
}

TEST(External, bad_OneNameForDifferentConstantsOfTwoMethods) {
  const ScratchFolder scratch;
  expect_failure(export_with({"--external-constants"},
                             {"a=" + fixture("external/external_view.pt2"),
                              "b=" + fixture("external/other_view.pt2")},
                             scratch),
                 5,
                 {"different constants by the name 'w'", "keep this one in the program"});
  EXPECT_TRUE(scratch.names().empty());
}

}  // namespace
}  // namespace ptec::test
