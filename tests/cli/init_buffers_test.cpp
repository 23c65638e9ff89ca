// `--init-buffers`, and what is said without it.
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

// Buffers `n` and `n2` start as arange(6), like the constant `k`; `z` starts as zeros.
std::string archive() { return fixture_path("initial_values.pt2").string(); }

TEST(InitBuffers, WarnsOfEachBufferWhoseSavedValueIsLost) {
  const ScratchFolder scratch;
  const ProcessResult result = run_export(archive(), scratch.file("out.pte"));
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.errors,
            "ptec: warning: buffer 'n' starts undefined: the program writes to it, and its saved "
            "value, which is not all zeros, is not stored; keep it with --init-buffers\n"
            "ptec: warning: buffer 'n2' starts undefined: the program writes to it, and its saved "
            "value, which is not all zeros, is not stored; keep it with --init-buffers\n");
}

TEST(InitBuffers, StoresTheSavedValuesAsTheReferencesPassDoes) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  const ProcessResult result =
      run_ptec({"export", archive(), "-o", output, "--quiet", "--init-buffers"});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.errors, "");
  EXPECT_TRUE(read_file(output) == read_file(fixture_path("initial_values.kept.pte")));
}

TEST(InitBuffers, ChangesNothingForAProgramWithoutState) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  const std::string stateless = fixture_path("mlp_static.pt2").string();
  EXPECT_EQ(run_ptec({"export", stateless, "-o", output, "--quiet", "--init-buffers"}).exit_status,
            0);
  EXPECT_TRUE(read_file(output) == read_file(fixture_path("mlp_static.pte")));
}

}  // namespace
}  // namespace ptec::test
