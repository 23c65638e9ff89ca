// Dimensions without an upper bound, and dimensions that depend on others.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

std::string fixture(const std::string& name) { return fixture_path("bounds/" + name).string(); }

ProcessResult export_with(const std::vector<std::string>& options, const ScratchFolder& scratch) {
  std::vector<std::string> arguments = {
      "export", "--quiet", fixture("unbounded.pt2"), "-o", scratch.file("out.pte")};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run_ptec(arguments);
}

TEST(Bounds, GivenByHandMakeTheFileOfTheSameModelExportedWithThem) {
  const ScratchFolder scratch;
  // The reference made the file of bounds 8 and 16 in the model; the archive here has none.
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--max", "s10=8", "--max", "s86=16"},
        std::vector<std::string>{"--max", "a_0.0=8", "--max", "a_1.0=16"}}) {
    const ProcessResult result = export_with(options, scratch);
    ASSERT_EQ(result.exit_status, 0) << result.errors;
    EXPECT_TRUE(read_file(scratch.file("out.pte")) == read_file(fixture("bounded_by_hand.pte")));
  }
}

TEST(Bounds, OfTheModelMakeTheReferencesFile) {
  const ScratchFolder scratch;
  const ProcessResult result = run_export(fixture("bounded_by_hand.pt2"), scratch.file("out.pte"));
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_TRUE(read_file(scratch.file("out.pte")) == read_file(fixture("bounded_by_hand.pte")));
}

TEST(Bounds, DerivedDimensionsOfALoadedArchiveArePlannedAtTheirOwnBounds) {
  // x is [s, 4], y is [2*s, 2] and z is [s + 1, 2] with s from 2 to 6. The reference cannot load
  // this archive.
  const ScratchFolder scratch;
  const ProcessResult result = run_export(fixture("derived_dims.pt2"), scratch.file("out.pte"));
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  const ProcessResult shown = run_ptec({"inspect", scratch.file("out.pte")});
  for (const char* words : {"[at most 6, 4]", "[at most 12, 2]", "[at most 7, 2]"})
    EXPECT_NE(shown.output.find(words), std::string::npos) << words << " in " << shown.output;
}

TEST(Bounds, bad_MissingOnesAreRefusedTogetherWithTheRemedy) {
  const ScratchFolder scratch;
  const ProcessResult result = export_with({}, scratch);
  EXPECT_EQ(result.exit_status, 5) << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 2) << result.errors;
  for (const char* words : {"'s10' in the shape of 'a_0' has no upper bound",
                            "--max s10=N",
                            "'s86' in the shape of 'a_1' has no upper bound",
                            "--max s86=N"}) {
    EXPECT_NE(result.errors.find(words), std::string::npos) << words << " in " << result.errors;
  }
}

TEST(Bounds, bad_OneForNoDimension) {
  const ScratchFolder scratch;
  expect_failure(export_with({"--max", "s10=8", "--max", "s86=9", "--max", "batch=4"}, scratch),
                 2,
                 {"no symbol or input dimension 'batch'"});
}

TEST(Bounds, bad_OneThatTheArchiveHas) {
  const ScratchFolder scratch;
  expect_failure(run_ptec({"export",
                           fixture("bounded_by_hand.pt2"),
                           "-o",
                           scratch.file("out.pte"),
                           "--max",
                           "s10=4"}),
                 2,
                 {"'s10' has an upper bound in the archive"});
}

TEST(Bounds, bad_NotANumber) {
  const ScratchFolder scratch;
  for (const char* text : {"s10", "s10=", "s10=x", "s10=0", "s10=-3", "=4", "s10=4.5"})
    expect_failure(export_with({"--max", text}, scratch), 2, {text, "NAME=N"});
}

}  // namespace
}  // namespace ptec::test
