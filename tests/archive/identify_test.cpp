#include "archive/identify.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "archive/pt2.h"
#include "support/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/shared_dir.h"
#include "tests/support/zip_builder.h"

namespace ptec::archive {
namespace {

using test::build_zip;
using test::bytes_of;
using test::fails_with;
using namespace std::string_literals;

std::string zip_of(const std::vector<std::string>& names) {
  test::ZipFile zip;
  for (const std::string& name : names) {
    test::ZipMember member;
    member.name = name;
    member.data.assign(1, 'x');
    zip.members.push_back(member);
  }
  return build_zip(zip);
}

struct Case {
  const char* what;
  std::string bytes;
  FileKind kind;
  ErrorCode code;
  const char* message;
};

std::vector<Case> cases() {
  return {
      {"empty", "", FileKind::Empty, ErrorCode::Malformed, "an empty file; save or copy it again"},
      {"legacy",
       zip_of({"serialized_exported_program.json", "version"}),
       FileKind::Pt2Legacy,
       ErrorCode::Unsupported,
       "a program saved by torch 2.7 or older; load it there"},
      {"aoti",
       zip_of({"m/archive_format", "m/data/aotinductor/model/x.so"}),
       FileKind::AotInductor,
       ErrorCode::Unsupported,
       "an AOTInductor package"},
      {"torchscript",
       zip_of({"m/data.pkl", "m/constants.pkl", "m/code/x.py"}),
       FileKind::TorchScript,
       ErrorCode::Unsupported,
       "a TorchScript module; compile the model with Torch-TensorRT and save it with"},
      {"torch.save",
       zip_of({"m/data.pkl", "m/version"}),
       FileKind::TorchSave,
       ErrorCode::Unsupported,
       "a file of torch.save"},
      {"other zip",
       zip_of({"word/document.xml"}),
       FileKind::OtherZip,
       ErrorCode::Malformed,
       "a zip file, but no .pt2 archive"},
      {"pte",
       "\x30\0\0\0ET12\0\0\0\0"s,
       FileKind::Pte,
       ErrorCode::Unsupported,
       "an ExecuTorch program (.pte); pass the .pt2 it was made from"},
      {"ptd", "\x30\0\0\0FT01\0\0\0\0"s, FileKind::Ptd, ErrorCode::Unsupported, "(.ptd)"},
      {"bpte",
       "\x30\0\0\0BP08\0\0\0\0"s,
       FileKind::BundledProgram,
       ErrorCode::Unsupported,
       ".bpte"},
      {"plan", "ftrt\1\0\0\0"s, FileKind::TensorRtPlan, ErrorCode::Unsupported, "a bare TensorRT"},
      {"rtx plan", "vtrt\1\0\0\0"s, FileKind::TensorRtPlan, ErrorCode::Unsupported, "a bare"},
      {"onnx",
       "\x08\x0a\x12\x07pytorch\x1a\x05"
       "2.1.0"s,
       FileKind::Onnx,
       ErrorCode::Unsupported,
       "an ONNX model; compile the PyTorch model with Torch-TensorRT"},
      {"lfs",
       "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 3\n",
       FileKind::GitLfsPointer,
       ErrorCode::Malformed,
       "run `git lfs pull`"},
      {"html",
       "\n <!DOCTYPE html>\n<html>",
       FileKind::Html,
       ErrorCode::Malformed,
       "a web page; download the file itself"},
      {"text", "hello", FileKind::Other, ErrorCode::Malformed, "archive 'x.pt2': no .pt2 archive;"},
  };
}

TEST(Identify, SaysWhatAFileIs) {
  for (const Case& each : cases()) {
    EXPECT_EQ(identify_file(InputFile::from_bytes("x.pt2", bytes_of(each.bytes))), each.kind)
        << each.what;
  }
  const auto kind_of = [](const char* name) {
    return identify_file(InputFile::open(test::fixture_path(name).string()));
  };
  EXPECT_EQ(kind_of("mlp_static.pt2"), FileKind::Pt2);
  EXPECT_EQ(kind_of("mlp_static.saved.pt2"), FileKind::Pt2);
  EXPECT_EQ(kind_of("mlp_static.pte"), FileKind::Pte);
}

TEST(Identify, DoesNotThrowForDamagedZips) {
  const std::string zip = zip_of({"m/archive_format", "m/models/model.json"});
  for (std::size_t size = 0; size < zip.size(); ++size) {
    EXPECT_NO_THROW(identify_file(InputFile::from_bytes("x", bytes_of(zip.substr(0, size)))));
  }
  for (std::size_t i = 0; i < zip.size(); ++i) {
    std::string damaged = zip;
    damaged[i] = static_cast<char>(~damaged[i]);
    EXPECT_NO_THROW(identify_file(InputFile::from_bytes("x", bytes_of(damaged))));
  }
}

TEST(Identify, EveryKindHasOneLineAndANextStep) {
  for (int kind = 0; kind <= static_cast<int>(FileKind::Other); ++kind) {
    const std::string text = describe_file_kind(static_cast<FileKind>(kind));
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_FALSE(next_step(static_cast<FileKind>(kind)).empty());
  }
  EXPECT_EQ(describe_file_kind(FileKind::Other), "no .pt2 archive");
}

TEST(BadPt2, OpeningSomethingElseSaysWhatItIs) {
  for (const Case& each : cases()) {
    EXPECT_TRUE(fails_with(each.code, each.message, [&] {
      Pt2Archive::from_file(InputFile::from_bytes("x.pt2", bytes_of(each.bytes)));
    })) << each.what;
  }
}

TEST(BadPt2, FoldersFifosAndDevicesAreIoErrors) {
  const std::string folder = std::filesystem::temp_directory_path().string();
  EXPECT_TRUE(
      fails_with(ErrorCode::Io, "is a folder, not a file", [&] { Pt2Archive::open(folder); }));
  std::string fifo = folder;
  fifo.append("/ptec_identify_test_").append(std::to_string(::getpid()));
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_TRUE(fails_with(ErrorCode::Io, "is a FIFO, not a file", [&] { Pt2Archive::open(fifo); }));
  ::unlink(fifo.c_str());
  EXPECT_TRUE(
      fails_with(ErrorCode::Io, "'/dev/zero' is a device", [] { Pt2Archive::open("/dev/zero"); }));
  EXPECT_TRUE(fails_with(ErrorCode::Io, "cannot open 'no/such.pt2': no such file", [] {
    Pt2Archive::open("no/such.pt2");
  }));
}

}  // namespace
}  // namespace ptec::archive
