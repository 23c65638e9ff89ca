// Files that are no archive of ours: one line that says what they are and what to do, and never a
// hang.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"
#include "tests/support/zip_writer.h"

namespace ptec::test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

constexpr int kIo = 3;
constexpr int kMalformed = 4;
constexpr int kUnsupported = 5;

std::string zip_of(const std::vector<std::pair<std::string, std::string>>& members) {
  StringSink out;
  ZipWriter zip(out);
  for (const auto& [name, data] : members) zip.add_member(name, data);
  zip.finish();
  return out.text();
}

// Exports a file of these bytes, under a name that promises an archive.
void expect_refused(const std::string& content,
                    int exit_status,
                    const std::vector<std::string>& words) {
  const ScratchFolder scratch;
  write_file(scratch.file("in.pt2"), content);
  ProcessOptions options;
  options.time_limit = std::chrono::seconds(20);
  expect_failure(
      run_export(scratch.file("in.pt2"), scratch.file("out.pte"), options), exit_status, words);
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"in.pt2"});
}

TEST(WrongFiles, bad_AotInductorPackage) {
  expect_refused(zip_of({{"m/archive_format", "pt2"},
                         {"m/archive_version", "0"},
                         {"m/data/aotinductor/model/model.wrapper.so",
                          "\x7F"
                          "ELF"},
                         {"m/.data/version", "6\n"},
                         {"m/byteorder", "little"}}),
                 kUnsupported,
                 {"AOTInductor"});
}

TEST(WrongFiles, bad_SeveralProgramsOfWhichOneWouldVanish) {
  expect_refused(zip_of({{"m/archive_format", "pt2"},
                         {"m/archive_version", "0"},
                         {"m/models/model.json", "{}"},
                         {"m/models/other.json", "{}"},
                         {"m/.data/version", "6\n"},
                         {"m/byteorder", "little"}}),
                 kUnsupported,
                 {"it has 2 programs, among them 'model' and 'other'"});
}

TEST(WrongFiles, bad_TorchScript) {
  expect_refused(zip_of({{"m/data.pkl", "\x80\x02."},
                         {"m/code/__torch__.py", "class M(Module):\n"},
                         {"m/constants.pkl", "\x80\x02)."},
                         {"m/version", "3\n"}}),
                 kUnsupported,
                 {"TorchScript"});
}

TEST(WrongFiles, bad_TorchSave) {
  expect_refused(zip_of({{"m/data.pkl", "\x80\x02}."},
                         {"m/byteorder", "little"},
                         {"m/data/0", "0123"},
                         {"m/version", "3\n"}}),
                 kUnsupported,
                 {"torch.save"});
}

TEST(WrongFiles, bad_ArchiveOfTorch27) {
  expect_refused(zip_of({{"serialized_exported_program.json", "{}"},
                         {"serialized_state_dict.pt", ""},
                         {"serialized_constants.pt", ""},
                         {"serialized_example_inputs.pt", ""},
                         {"version", "8.7"}}),
                 kUnsupported,
                 {"2.7"});
}

TEST(WrongFiles, bad_OtherZip) {
  expect_refused(zip_of({{"[Content_Types].xml", "<Types/>"}, {"word/document.xml", "<w/>"}}),
                 kMalformed,
                 {"zip"});
}

TEST(WrongFiles, bad_Onnx) {
  expect_refused(
      "\x08\x08\x12\x07pytorch\x1A\x05"s + "2.6.0" + ":\x10\x12\x04main"s, kUnsupported, {"ONNX"});
}

TEST(WrongFiles, bad_BareTensorRtPlan) {
  for (const char* magic : {"ftrt", "vtrt"}) {
    expect_refused(magic + std::string(200, '\x01'), kUnsupported, {"TensorRT"});
  }
}

TEST(WrongFiles, bad_Program) {
  expect_refused(read_file(fixture_path("mlp_static.pte")), kUnsupported, {"ExecuTorch"});
}

TEST(WrongFiles, bad_BundledProgram) {
  expect_refused("\x10\x00\x00\x00"s + "BP08" + std::string(64, '\0'), kUnsupported, {"undled"});
}

TEST(WrongFiles, bad_GitLfsPointer) {
  expect_refused("version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') +
                     "\nsize 12345\n",
                 kMalformed,
                 {"LFS"});
}

TEST(WrongFiles, bad_HtmlPage) {
  expect_refused("<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>\n",
                 kMalformed,
                 {"web page"});
}

TEST(WrongFiles, bad_EmptyFile) { expect_refused("", kMalformed, {"empty"}); }

TEST(WrongFiles, bad_Noise) {
  expect_refused(std::string("\x5A\xA5\x00\x17", 4) + std::string(5000, '\x33'), kMalformed, {});
}

TEST(WrongFiles, bad_MissingFile) {
  const ScratchFolder scratch;
  expect_failure(run_export(scratch.file("absent.pt2"), scratch.file("out.pte")),
                 kIo,
                 {"absent.pt2", "o such file"});
  EXPECT_TRUE(scratch.names().empty());
}

TEST(WrongFiles, bad_Folder) {
  const ScratchFolder scratch;
  fs::create_directory(scratch.file("in.pt2"));
  expect_failure(run_export(scratch.file("in.pt2"), scratch.file("out.pte")), kIo, {"in.pt2"});
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"in.pt2"});
}

TEST(WrongFiles, bad_FifoDoesNotHang) {
  const ScratchFolder scratch;
  ASSERT_EQ(::mkfifo(scratch.file("in.pt2").c_str(), 0600), 0);
  ProcessOptions options;
  options.time_limit = std::chrono::seconds(10);
  for (const char* verb : {"export", "inspect"}) {
    std::vector<std::string> arguments = {verb, scratch.file("in.pt2")};
    if (arguments[0] == "export") {
      arguments.insert(arguments.end(), {"-o", scratch.file("out.pte")});
    }
    const ProcessResult result = run_ptec(arguments, options);
    EXPECT_FALSE(result.timed_out);
    expect_failure(result, kIo, {"in.pt2"});
  }
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"in.pt2"});
}

TEST(WrongFiles, bad_DeviceFile) {
  const ScratchFolder scratch;
  ProcessOptions options;
  options.time_limit = std::chrono::seconds(10);
  expect_failure(run_export("/dev/zero", scratch.file("out.pte"), options), kIo, {"/dev/zero"});
}

}  // namespace
}  // namespace ptec::test
