// Standard output and error that are closed or full, and a limit on file sizes: an exit status that
// says so, never a signal.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

constexpr int kIo = 3;

std::string archive() { return fixture_path("mlp_static.pt2").string(); }

/// Runs `ptec` by a shell, with `redirections` behind its arguments.
ProcessResult run_redirected(const std::string& arguments, const std::string& redirections) {
  const std::string line = "exec '" PTEC_BINARY "' " + arguments + " " + redirections;
  return run_process({"/bin/sh", "-c", line});
}

TEST(Streams, bad_FullOrClosedOutputIsAnError) {
  for (const std::string arguments : {"--help",
                                      "--version",
                                      "export --help",
                                      "inspect '@'",
                                      "inspect --json '@'",
                                      "inspect --help"}) {
    std::string with_file = arguments;
    if (const std::size_t at = with_file.find('@'); at != std::string::npos) {
      with_file.replace(at, 1, archive());
    }
    SCOPED_TRACE(with_file);
    expect_failure(run_redirected(with_file, "> /dev/full"),
                   kIo,
                   {"cannot write to standard output: No space left on device"});
    expect_failure(run_redirected(with_file, ">&-"),
                   kIo,
                   {"cannot write to standard output: Bad file descriptor"});
  }
}

TEST(Streams, ExportedFileIsRightWhenStandardOutputIsClosed) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  const ProcessResult result =
      run_redirected("export '" + archive() + "' -o '" + output + "'", "<&- >&-");
  expect_failure(result, kIo, {"cannot write to standard output"});
  EXPECT_TRUE(read_file(output) == read_file(fixture_path("mlp_static.pte")));
}

TEST(Streams, ExitStatusIsThatOfTheErrorWhenNobodyCanBeTold) {
  const ScratchFolder scratch;
  write_file(scratch.file("none.pt2"), "no archive");
  const std::string inspect = "inspect '" + scratch.file("none.pt2") + "'";
  for (const std::string redirections : {"2>&-", "2> /dev/full", ">&- 2>&-"}) {
    SCOPED_TRACE(redirections);
    const ProcessResult malformed = run_redirected(inspect, redirections);
    EXPECT_EQ(malformed.exit_status, 4);
    EXPECT_EQ(malformed.errors, "");
    EXPECT_EQ(run_redirected("frob", redirections).exit_status, 2);
    EXPECT_EQ(run_redirected("inspect /no/such/file", redirections).exit_status, kIo);
  }
}

TEST(Streams, bad_FileOverTheShellsLimitLeavesNothing) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  const std::string line =
      "ulimit -f 8; exec '" PTEC_BINARY "' export '" + archive() + "' -o '" + output + "' --quiet";
  expect_failure(run_process({"/bin/sh", "-c", line}), kIo, {"ile too large"});
  EXPECT_TRUE(scratch.names().empty());
}

}  // namespace
}  // namespace ptec::test
