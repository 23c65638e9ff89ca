// Engines of half a gigabyte: part of every run.
#include "tests/cli/large_engine.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"

namespace ptec::test {
namespace {

TEST(LargeEngine, SurvivesInATorchbindObject) {
  expect_engine_survives(
      {.engine_size_bytes = 512 * kMiB, .form = RecordForm::TorchBind, .seed = 11}, 2 * kGiB);
}

TEST(LargeEngine, SurvivesInABarePickle) {
  expect_engine_survives(
      {.engine_size_bytes = 512 * kMiB + 1, .form = RecordForm::Pickle4, .seed = 12}, 2 * kGiB);
}

TEST(LargeEngine, SeveralSurviveInOneArchive) {
  expect_engine_survives(
      {.engine_size_bytes = 96 * kMiB + 2, .form = RecordForm::TorchBind, .seed = 13, .engines = 3},
      2 * kGiB);
}

TEST(LargeEngine, SmallestOnesSurvive) {
  for (const RecordForm form : {RecordForm::TorchBind, RecordForm::Pickle4}) {
    for (const unsigned size : {1u, 2u, 3u, 24u, 25u}) {
      expect_engine_survives({.engine_size_bytes = size, .form = form, .seed = 14}, kMiB);
    }
  }
}

// Bytes that a process has written so far, by the kernel's count.
std::uint64_t written_bytes(int process_id) {
  std::ifstream in("/proc/" + std::to_string(process_id) + "/io");
  std::string key;
  std::uint64_t value = 0;
  while (in >> key >> value) {
    if (key == "wchar:") return value;
  }
  return 0;
}

TEST(LargeEngine, bad_InterruptLeavesNothing) {
  std::filesystem::create_directories(PTEC_SCRATCH_DIR);
  if (free_disk_bytes(PTEC_SCRATCH_DIR) < 2 * kGiB) {
    GTEST_SKIP() << "needs 2 GiB of free disk for temporary files";
  }
  const ScratchFolder scratch(PTEC_SCRATCH_DIR);
  write_engine_archive(scratch.file("in.pt2"), {.engine_size_bytes = 512 * kMiB, .seed = 15});
  for (const int signal : {SIGINT, SIGTERM}) {
    write_file(scratch.file("out.pte"), "old");
    ProcessOptions options;
    options.signal = signal;
    options.signal_when = [](int process_id) { return written_bytes(process_id) > 16 * kMiB; };
    const ProcessResult result =
        run_export(scratch.file("in.pt2"), scratch.file("out.pte"), options);
    EXPECT_EQ(result.exit_status, 130) << result.errors;
    EXPECT_NE(result.errors.find("interrupted"), std::string::npos) << result.errors;
    EXPECT_EQ(read_file(scratch.file("out.pte")), "old");
    EXPECT_EQ(scratch.names(), (std::vector<std::string>{"in.pt2", "out.pte"}));
  }
}

}  // namespace
}  // namespace ptec::test
