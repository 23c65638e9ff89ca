// Where and how a process runs leaves no trace in the file.
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

namespace fs = std::filesystem;

std::string exported(const std::string& input, const ProcessOptions& options) {
  const ScratchFolder scratch;
  const ProcessResult result = run_export(input, scratch.file("out.pte"), options);
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  return result.exit_status == 0 ? read_file(scratch.file("out.pte")) : "";
}

TEST(Determinism, SameBytesInOtherLocaleTimeZoneAndUmask) {
  const std::string input = fixture_path("two_engines.pt2").string();
  const std::string expected = exported(input, {});
  for (const char* locale : {"C", "C.UTF-8", "tr_TR.UTF-8", "de_DE.UTF-8"}) {
    ProcessOptions options;
    options.environment = {{"LC_ALL", locale}, {"TZ", "Asia/Kathmandu"}, {"LANG", locale}};
    options.umask = 0077;
    EXPECT_TRUE(exported(input, options) == expected) << locale;
  }
}

TEST(Determinism, SameBytesFromAnotherFolderAndAnotherArchiveName) {
  const std::string input = fixture_path("two_engines.pt2").string();
  const std::string expected = exported(input, {});
  const ScratchFolder scratch;
  fs::copy_file(input, scratch.file("renamed model.pt2"));
  ProcessOptions options;
  options.folder = scratch.path().string();
  const ProcessResult result = run_export("renamed model.pt2", "out.pte", options);
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_TRUE(read_file(scratch.file("out.pte")) == expected);
}

TEST(Determinism, SameBytesWithEmptyEnvironmentVariables) {
  const std::string input = fixture_path("zero_engine.pt2").string();
  ProcessOptions options;
  options.environment = {{"HOME", ""}, {"TMPDIR", "/nonexistent"}, {"PATH", ""}, {"USER", ""}};
  EXPECT_TRUE(exported(input, options) == exported(input, {}));
}

TEST(Determinism, FileModeFollowsTheUmask) {
  const ScratchFolder scratch;
  ProcessOptions options;
  options.umask = 0027;
  const ProcessResult result =
      run_export(fixture_path("zero_engine.pt2").string(), scratch.file("out.pte"), options);
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_EQ(fs::status(scratch.file("out.pte")).permissions(), static_cast<fs::perms>(0640));
}

}  // namespace
}  // namespace ptec::test
