// ptec-run as a process: what it prints, and the status that it ends with.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/bytes.h"
#include "tests/pte/small_pte.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

ProcessResult ptec_run(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), PTEC_RUN_BINARY);
  return run_process(arguments);
}

std::string fixture(const std::string& name) { return fixture_path(name).string(); }

void expect_error(const ProcessResult& result, int status, const std::string& message) {
  EXPECT_EQ(result.exit_status, status);
  EXPECT_EQ(result.output, "");
  EXPECT_EQ(result.errors, "ptec: error: " + message + "\n");
}

TEST(PtecRun, RunsAPortableProgramWithOnes) {
  const ProcessResult result = ptec_run({fixture("zero_engine.pte")});
  EXPECT_EQ(result.exit_status, 0);
  EXPECT_EQ(result.errors, "");
  EXPECT_NE(result.output.find("output 0: float32[2, 8]\n[["), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("output 1: int64[2, 3]\n[["), std::string::npos) << result.output;
}

TEST(PtecRun, ReadsAndWritesNpyFiles) {
  const ScratchFolder folder;
  const std::string data = read_file(fixture("zero_engine.in.0.bin"));
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4), }";
  header.resize(117, ' ');
  header += '\n';
  write_file(folder.path() / "x.npy",
             std::string("\x93NUMPY\1\0", 8) + static_cast<char>(header.size()) +
                 std::string(1, '\0') + header + data);
  const ProcessResult result = ptec_run({fixture("zero_engine.pte"),
                                         "--input",
                                         folder.file("x.npy"),
                                         "--output-dir",
                                         folder.path().string()});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_NE(result.output.find("[[5 6 1]\n [7 1 5]]"), std::string::npos) << result.output;
  const std::string written = read_file(folder.path() / "output1.npy");
  EXPECT_EQ(written.substr(written.size() - 48), read_file(fixture("zero_engine.out.1.bin")));
}

TEST(PtecRun, bad_WithoutAFile) {
  expect_error(ptec_run({}), 2, "file is required; see 'ptec run --help'");
}

TEST(PtecRun, bad_DataFileThatIsNotThere) {
  const ScratchFolder folder;
  const std::string data = folder.file("weights.ptd");
  expect_error(ptec_run({fixture("zero_engine.pte"), "--data", data}),
               3,
               "program '" + fixture("zero_engine.pte") + "': cannot open '" + data +
                   "': no such file or directory");
}

TEST(PtecRun, bad_NeedsABackendThatIsNotThere) {
  expect_error(
      ptec_run({fixture("mlp_static.pte")}),
      5,
      "program '" + fixture("mlp_static.pte") +
          "': method 'forward' needs backend TensorRTBackend, which this build does not have");
}

TEST(PtecRun, bad_Inputs) {
  const std::string file = fixture("zero_engine.pte");
  expect_error(
      ptec_run({file, "ones:2x5"}),
      2,
      "program '" + file +
          "': method 'forward': input '0': wrong shape: wanted float32[2, 4], found float32[2, 5]");
  expect_error(ptec_run({file, "-i", "ones:", "-i", "ones:"}),
               2,
               "program '" + file + "': method 'forward' has 1 inputs: float32[2, 4]; found 2");
  expect_error(ptec_run({file, "--method", "backward"}),
               2,
               "program '" + file + "': there is no method 'backward', only 'forward'");
}

TEST(PtecRun, ShapeAndTypeOfOnesMayBeLeftOut) {
  const std::string file = fixture("zero_engine.pte");
  const ProcessResult whole = ptec_run({file, "--input", "ones:2x4:float32"});
  ASSERT_EQ(whole.exit_status, 0) << whole.errors;
  for (const char* text : {"ones", "ones:", "ones:2x4", "ones::float32", "default"}) {
    EXPECT_EQ(ptec_run({file, "--input", text}).output, whole.output) << text;
  }
  EXPECT_EQ(ptec_run({file, "--input", "zeros"}).exit_status, 0);
}

TEST(PtecRun, bad_AnInputThatIsNoWordAndNoFile) {
  const std::string file = fixture("zero_engine.pte");
  expect_error(ptec_run({file, "--input", "ones2x4"}),
               2,
               "program '" + file +
                   "': method 'forward': input '0': 'ones2x4' is no file; wanted a .npy file, "
                   "ones:2x3:float32, zeros:2x3:float32 (shape and type may be left out), or "
                   "default");
}

TEST(PtecRun, MakesTheFolderForItsOutputs) {
  const ScratchFolder folder;
  const ProcessResult result =
      ptec_run({fixture("zero_engine.pte"), "--output-dir", folder.file("a/b")});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "a" / "b" / "output1.npy"));
}

TEST(PtecRun, bad_AFileInThePlaceOfTheFolder) {
  const ScratchFolder folder;
  write_file(folder.path() / "file", "x");
  const ProcessResult result =
      ptec_run({fixture("zero_engine.pte"), "--output-dir", folder.file("file")});
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find("cannot make the folder '" + folder.file("file") + "'"),
            std::string::npos)
      << result.errors;
}

TEST(PtecRun, bad_AnArchive) {
  const std::string file = fixture("zero_engine.pt2");
  expect_error(ptec_run({file}),
               5,
               "program '" + file +
                   "': is a zip file, as .pt2 archives are, and no program (.pte); export it "
                   "first with 'ptec export'");
}

TEST(PtecRun, bad_CommandLines) {
  expect_error(ptec_run({"--ful"}), 2, "there is no option '--ful'; see 'ptec run --help'");
  expect_error(ptec_run({}), 2, "file is required; see 'ptec run --help'");
  EXPECT_EQ(ptec_run({fixture("zero_engine.pte"), "--full=no"}).exit_status, 2);
  EXPECT_EQ(ptec_run({"-"}).exit_status, 2);
}

TEST(PtecRun, RunsAHandMadeProgram) {
  const ScratchFolder folder;
  const std::vector<std::byte> bytes = SmallPte{}.build();
  write_file(folder.path() / "small.pte", as_text(bytes));
  const ProcessResult result = ptec_run({folder.file("small.pte")});
  EXPECT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_EQ(result.output, "output 0: float32[2]\n[11. 21.]\n");
}

TEST(PtecRun, bad_AKindThatAKernelDoesNotTake) {
  // The runtime aborts here; the user gets a message all the same.
  SmallPte small;
  small.args = {0, 1, 0, 3, 3};
  const ScratchFolder folder;
  const std::vector<std::byte> bytes = small.build();
  write_file(folder.path() / "kind.pte", as_text(bytes));
  const ProcessResult result = ptec_run({folder.file("kind.pte")});
  EXPECT_EQ(result.exit_status, 4);
  EXPECT_EQ(result.errors.rfind("ptec: error: the ExecuTorch runtime gave up: ", 0), 0u)
      << result.errors;
}

TEST(PtecRun, bad_ArenasLargerThanTheMachine) {
  SmallPte small;
  small.arenas = {{0, std::int64_t{1} << 60}};
  const ScratchFolder folder;
  const std::vector<std::byte> bytes = small.build();
  write_file(folder.path() / "large.pte", as_text(bytes));
  EXPECT_EQ(ptec_run({folder.file("large.pte")}).exit_status, 6);
}

TEST(PtecRun, bad_Files) {
  const ScratchFolder folder;
  const std::string cut = folder.file("cut.pte");
  write_file(cut, read_file(fixture("zero_engine.pte")).substr(0, 2000));
  expect_error(ptec_run({cut}), 4, "program '" + cut + "': file has 2000 bytes, needs 2464");
  EXPECT_EQ(ptec_run({folder.file("absent.pte")}).exit_status, 3);
  EXPECT_EQ(ptec_run({folder.path().string()}).exit_status, 3);
  EXPECT_EQ(ptec_run({}).exit_status, 2);
}

}  // namespace
}  // namespace ptec::test
