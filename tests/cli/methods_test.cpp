// Programs of several methods.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string fixture(const std::string& name) { return fixture_path(name).string(); }

ProcessResult export_methods(const std::vector<std::string>& methods, const std::string& output) {
  std::vector<std::string> arguments = {"export", "--quiet", "-o", output};
  arguments.insert(arguments.end(), methods.begin(), methods.end());
  return run_ptec(arguments);
}

TEST(Methods, EqualTheReferenceFileWhateverTheirOrder) {
  const std::vector<std::string> methods = {
      "summarise text=" + fixture("methods_shared.summarise text.pt2"),
      "b-2=" + fixture("methods_shared.b-2.pt2"),
      "Zoom=" + fixture("methods_shared.Zoom.pt2")};
  const std::string expected = read_file(fixture("methods_shared.pte"));
  const ScratchFolder scratch;
  for (const auto& order : {std::vector<int>{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
    std::vector<std::string> ordered;
    for (const int i : order) ordered.push_back(methods[static_cast<std::size_t>(i)]);
    const ProcessResult result = export_methods(ordered, scratch.file("out.pte"));
    ASSERT_EQ(result.exit_status, 0) << result.errors;
    EXPECT_TRUE(read_file(scratch.file("out.pte")) == expected);
  }
}

TEST(Methods, WithEnginesEqualTheReferenceFile) {
  PTEC_REQUIRE_SHARED_DIR(shared);
  const ScratchFolder scratch;
  for (const char* exporter : {"", ".legacy"}) {
    const std::string begin = (shared / "fixtures" / "multi_method.").string();
    const ProcessResult result = export_methods({"prefill=" + begin + "prefill" + exporter + ".pt2",
                                                 "decode=" + begin + "decode" + exporter + ".pt2"},
                                                scratch.file("out.pte"));
    ASSERT_EQ(result.exit_status, 0) << result.errors;
    EXPECT_TRUE(read_file(scratch.file("out.pte")) == read_file(begin + "pte")) << exporter;
  }
}

TEST(Methods, AnEngineInTwoMethodsIsStoredOnce) {
  const ScratchFolder scratch;
  fs::copy_file(fixture("mlp_static.pt2"), scratch.file("copy.pt2"));
  const ProcessResult result =
      export_methods({"one=" + fixture("mlp_static.pt2"), "two=" + scratch.file("copy.pt2")},
                     scratch.file("out.pte"));
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  // The blob alone has 20 KiB, of 21 KiB in all with one method.
  EXPECT_LT(fs::file_size(scratch.file("out.pte")),
            fs::file_size(fixture("mlp_static.pte")) + 2048);
}

TEST(Methods, OneNameNeedNotBeForward) {
  const ScratchFolder scratch;
  const ProcessResult result =
      export_methods({"encode=" + fixture("zero_engine.pt2")}, scratch.file("out.pte"));
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  const ProcessResult shown = run_ptec({"inspect", "--json", scratch.file("out.pte")});
  EXPECT_TRUE(has(shown.output, "\"encode\"")) << shown.output;
  EXPECT_FALSE(has(shown.output, "\"forward\"")) << shown.output;
}

TEST(Methods, AnEqualsSignBehindASlashBelongsToThePath) {
  const ScratchFolder scratch;
  fs::copy_file(fixture("zero_engine.pt2"), scratch.file("a=b.pt2"));
  const ProcessResult result = export_methods({scratch.file("a=b.pt2")}, scratch.file("out.pte"));
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_TRUE(read_file(scratch.file("out.pte")) == read_file(fixture("zero_engine.pte")));
}

TEST(Methods, JsonReportCountsWhatEachMethodHas) {
  const ScratchFolder scratch;
  const ProcessResult result = run_ptec({"export",
                                         "--json",
                                         "z=" + fixture("zero_engine.pt2"),
                                         "a=" + fixture("two_engines.pt2"),
                                         "-o",
                                         scratch.file("out.pte")});
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.output.front(), '{');
  EXPECT_LT(result.output.find("\"name\": \"a\""), result.output.find("\"name\": \"z\""));
  EXPECT_TRUE(has(result.output, "\"delegate_calls\": 2")) << result.output;
  EXPECT_TRUE(has(result.output, "\"delegate_calls\": 0")) << result.output;
  EXPECT_TRUE(
      has(result.output, "\"bytes\": " + std::to_string(fs::file_size(scratch.file("out.pte")))))
      << result.output;
}

TEST(Methods, bad_AnEmptyName) {
  const ScratchFolder scratch;
  expect_failure(export_methods({"=" + fixture("zero_engine.pt2")}, scratch.file("out.pte")),
                 2,
                 {"empty name", "NAME=FILE"});
  EXPECT_TRUE(scratch.names().empty());
}

TEST(Methods, bad_ANameThatIsNotUtf8) {
  const ScratchFolder scratch;
  expect_failure(export_methods({"\xff=" + fixture("zero_engine.pt2")}, scratch.file("out.pte")),
                 2,
                 {"not UTF-8"});
}

TEST(Methods, bad_OneNameTwice) {
  const ScratchFolder scratch;
  expect_failure(
      export_methods({"a=" + fixture("zero_engine.pt2"), "a=" + fixture("mlp_static.pt2")},
                     scratch.file("out.pte")),
      2,
      {"method 'a' is given twice", "zero_engine.pt2", "mlp_static.pt2"});
}

TEST(Methods, bad_OneArchiveUnderTwoNames) {
  const ScratchFolder scratch;
  fs::create_symlink(fixture("zero_engine.pt2"), scratch.file("link.pt2"));
  expect_failure(
      export_methods({"a=" + fixture("zero_engine.pt2"), "b=" + scratch.file("link.pt2")},
                     scratch.file("out.pte")),
      2,
      {"methods 'a' and 'b' name the same archive", "a file of its own"});
}

TEST(Methods, bad_SeveralArchivesOfWhichOneHasNoName) {
  const ScratchFolder scratch;
  expect_failure(export_methods({fixture("zero_engine.pt2"), "b=" + fixture("mlp_static.pt2")},
                                scratch.file("out.pte")),
                 2,
                 {"zero_engine.pt2' has no method name", "NAME=FILE"});
}

TEST(Methods, bad_AllThatIsWrongIsToldAtOnce) {
  const ScratchFolder scratch;
  write_file(scratch.file("text.pt2"), "not an archive");
  const ProcessResult result = export_methods({"a=" + scratch.file("gone.pt2"),
                                               "b=" + fixture("zero_engine.pt2"),
                                               "c=" + scratch.file("text.pt2")},
                                              scratch.file("out.pte"));
  EXPECT_EQ(result.exit_status, 3) << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 2) << result.errors;
  EXPECT_TRUE(has(result.errors, "gone.pt2")) << result.errors;
  EXPECT_TRUE(has(result.errors, "text.pt2")) << result.errors;
  EXPECT_FALSE(fs::exists(scratch.file("out.pte")));
}

}  // namespace
}  // namespace ptec::test
