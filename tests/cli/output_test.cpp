// The output file appears whole or not at all.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

namespace fs = std::filesystem;

constexpr int kUsage = 2;
constexpr int kIo = 3;
constexpr int kMalformed = 4;

std::string archive() { return fixture_path("mlp_static.pt2").string(); }
std::string expected() { return read_file(fixture_path("mlp_static.pte")); }

TEST(Output, ReplacesAnExistingFile) {
  const ScratchFolder scratch;
  write_file(scratch.file("out.pte"), "old");
  EXPECT_EQ(run_export(archive(), scratch.file("out.pte")).exit_status, 0);
  EXPECT_TRUE(read_file(scratch.file("out.pte")) == expected());
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out.pte"});
}

TEST(Output, ReaderOfTheOldFileKeepsIt) {
  // A replaced file is another file: whoever has the old one open, or linked, does not see it
  // change.
  const ScratchFolder scratch;
  write_file(scratch.file("out.pte"), "old");
  fs::create_hard_link(scratch.file("out.pte"), scratch.file("other"));
  EXPECT_EQ(run_export(archive(), scratch.file("out.pte")).exit_status, 0);
  EXPECT_EQ(read_file(scratch.file("other")), "old");
}

TEST(Output, KeepsThePermissionsOfTheFileThatItReplaces) {
  for (const unsigned mode : {0600u, 0640u, 0755u}) {
    const ScratchFolder scratch;
    write_file(scratch.file("out.pte"), "old");
    fs::permissions(scratch.file("out.pte"), static_cast<fs::perms>(mode));
    ProcessOptions options;
    options.umask = 0022;
    EXPECT_EQ(run_export(archive(), scratch.file("out.pte"), options).exit_status, 0);
    EXPECT_EQ(fs::status(scratch.file("out.pte")).permissions(), static_cast<fs::perms>(mode));
    EXPECT_TRUE(read_file(scratch.file("out.pte")) == expected());
  }
}

TEST(Output, FollowsASymbolicLink) {
  const ScratchFolder scratch;
  fs::create_directory(scratch.file("real"));
  write_file(scratch.path() / "real" / "model.pte", "old");
  fs::create_symlink("real/model.pte", scratch.file("out.pte"));
  EXPECT_EQ(run_export(archive(), scratch.file("out.pte")).exit_status, 0);
  EXPECT_TRUE(fs::is_symlink(scratch.file("out.pte")));
  EXPECT_TRUE(read_file(scratch.path() / "real" / "model.pte") == expected());
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"out.pte", "real"}));
}

TEST(Output, AcceptsAPlainNameInTheCurrentFolder) {
  const ScratchFolder scratch;
  ProcessOptions options;
  options.folder = scratch.path().string();
  EXPECT_EQ(run_export(archive(), "out.pte", options).exit_status, 0);
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out.pte"});
}

TEST(Output, bad_OutputIsTheInput) {
  const ScratchFolder scratch;
  const std::string input = scratch.file("model.pt2");
  fs::copy_file(archive(), input);
  const std::string before = read_file(input);
  fs::create_hard_link(input, scratch.file("hard"));
  fs::create_symlink("model.pt2", scratch.file("soft"));
  fs::create_directory(scratch.file("sub"));
  const std::vector<std::string> spellings = {input,
                                              scratch.file("hard"),
                                              scratch.file("soft"),
                                              scratch.file("./model.pt2"),
                                              scratch.file("sub/../model.pt2")};
  for (const std::string& output : spellings) {
    SCOPED_TRACE(output);
    expect_failure(run_export(input, output), kUsage, {"input"});
    EXPECT_TRUE(read_file(input) == before);
  }
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"hard", "model.pt2", "soft", "sub"}));
}

TEST(Output, bad_FolderIsAbsent) {
  const ScratchFolder scratch;
  expect_failure(run_export(archive(), scratch.file("no/such/out.pte")), kIo, {"o such file"});
  EXPECT_TRUE(scratch.names().empty());
}

TEST(Output, bad_OutputIsAFolder) {
  const ScratchFolder scratch;
  fs::create_directory(scratch.file("out.pte"));
  expect_failure(run_export(archive(), scratch.file("out.pte")), kIo, {"out.pte"});
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out.pte"});
}

TEST(Output, bad_FolderIsReadOnly) {
  const ScratchFolder scratch;
  fs::create_directory(scratch.file("closed"));
  fs::copy_file(archive(), scratch.file("in.pt2"));
  fs::copy_file(PTEC_BINARY, scratch.file("ptec"));  // where another user can reach it
  fs::permissions(scratch.path(), static_cast<fs::perms>(0755));
  fs::permissions(scratch.file("closed"), static_cast<fs::perms>(0555));
  ProcessOptions options;
  if (::geteuid() == 0) options.user_id = 65534;  // root may write anywhere
  const std::string output = (scratch.path() / "closed" / "out.pte").string();
  const ProcessResult result =
      run_process({scratch.file("ptec"), "export", scratch.file("in.pt2"), "-o", output}, options);
  if (result.exit_status == 127) GTEST_SKIP() << "another user cannot start programs here";
  expect_failure(result, kIo, {"ermission denied"});
  EXPECT_TRUE(fs::is_empty(scratch.file("closed")));
  fs::permissions(scratch.file("closed"), static_cast<fs::perms>(0755));
}

TEST(Output, bad_DiskFullKeepsTheOldFile) {
  const ScratchFolder scratch;
  write_file(scratch.file("out.pte"), "old");
  const std::uint64_t size = expected().size();
  for (const std::uint64_t limit : {std::uint64_t{1}, size / 2, size * 9 / 10, size - 1}) {
    ProcessOptions options;
    options.file_size_limit_bytes = limit;
    expect_failure(run_export(archive(), scratch.file("out.pte"), options), kIo, {"ile too large"});
    EXPECT_EQ(read_file(scratch.file("out.pte")), "old");
    EXPECT_EQ(scratch.names(), std::vector<std::string>{"out.pte"});
  }
}

TEST(Output, bad_InputKeepsTheOldFile) {
  // One letter of the engine's text is another one: only the member's sum tells, and only at the
  // end.
  const ScratchFolder scratch;
  std::string content = read_file(archive());
  const std::size_t letter = content.find('A', content.size() / 2);
  ASSERT_LT(letter, content.find("model_constants_config.json"));
  content[letter] = 'B';
  write_file(scratch.file("in.pt2"), content);
  write_file(scratch.file("out.pte"), "old");
  expect_failure(run_export(scratch.file("in.pt2"), scratch.file("out.pte")),
                 kMalformed,
                 {"custom_obj_0", "crc-32"});
  EXPECT_EQ(read_file(scratch.file("out.pte")), "old");
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"in.pt2", "out.pte"}));
}

}  // namespace
}  // namespace ptec::test
