// A process that may have little memory: one line, the exit status of a limit, nothing left behind.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/cli/cli.h"
#include "tests/support/graph_archive.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr int kCannotStart = 127;  // the dynamic loader's own, before any code of ours

struct Outcomes {
  int done = 0;
  int out_of_memory = 0;
};

/// Runs with every limit from `first` to `last`.
Outcomes run_with_limits(const std::vector<std::string>& arguments,
                         std::uint64_t first_bytes,
                         std::uint64_t last_bytes,
                         std::uint64_t step_bytes,
                         const ScratchFolder* output = nullptr) {
  Outcomes out;
  for (std::uint64_t limit = first_bytes; limit <= last_bytes; limit += step_bytes) {
    SCOPED_TRACE(limit);
    ProcessOptions options;
    options.address_space_limit_bytes = limit;
    const ProcessResult result = run_ptec(arguments, options);
    if (result.exit_status == kCannotStart) continue;
    if (result.exit_status == 0) {
      ++out.done;
      continue;
    }
    ++out.out_of_memory;
    EXPECT_EQ(result.signal, 0);
    EXPECT_EQ(result.exit_status, 6) << result.errors;
    EXPECT_EQ(result.errors.rfind("ptec: error: ", 0), 0u) << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    if (output == nullptr) continue;
    EXPECT_EQ(output->names(), std::vector<std::string>{});
  }
  return out;
}

// Libraries start before main, and memory may run out there too.
TEST(OutOfMemory, InStartUpAndInspect) {
  if (sanitized()) GTEST_SKIP() << "sanitizers reserve much address space";
  for (const char* name : {"mlp_static.pte", "mlp_static.pt2"}) {
    const Outcomes outcomes =
        run_with_limits({"inspect", fixture_path(name).string()}, 8 * kMiB, 256 * kMiB, 2 * kMiB);
    EXPECT_GT(outcomes.out_of_memory, 0);
    EXPECT_GT(outcomes.done, 0);
  }
}

TEST(OutOfMemory, InExportNothingIsLeftBehind) {
  if (sanitized()) GTEST_SKIP() << "sanitizers reserve much address space";
  const ScratchFolder inputs;
  const ScratchFolder output;
  const std::string archive = inputs.file("graph.pt2");
  write_graph_archive(archive, 20'000);
  const std::vector<std::string> arguments = {
      "export", archive, "--quiet", "-o", output.file("out.pte")};
  const Outcomes outcomes = run_with_limits(arguments, 32 * kMiB, 224 * kMiB, 16 * kMiB, &output);
  EXPECT_GT(outcomes.out_of_memory, 6);
}

}  // namespace
}  // namespace ptec::test
