// An archive that changes on disk while it is exported: an error, and no file.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "archive/pt2.h"
#include "ptec/error.h"
#include "ptec/export.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec {
namespace {

namespace fs = std::filesystem;

struct Change {
  const char* name;
  const char* archive;
  const char* member;   // that changes after everything was planned
  const char* options;  // "external", "init_buffers" or nothing
};

void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }

class ChangedInput : public testing::TestWithParam<Change> {
 protected:
  void copy_archive(const std::string& to) const {
    fs::copy_file(test::fixture_path(GetParam().archive), to);
    fs::permissions(to, fs::perms::owner_write, fs::perm_options::add);
  }

  static ExportOptions options() {
    ExportOptions out;
    const std::string wanted = GetParam().options;
    out.init_buffers = wanted == "init_buffers";
    if (wanted == "external")
      out.external_file = [](const ConstantInfo&) { return std::optional<std::string>("data"); };
    return out;
  }

  /// Flips one bit in the middle of the member.
  static void change_member(const std::string& path) {
    const archive::Pt2Archive archive = archive::Pt2Archive::open(path);
    const FileRecord& record = archive.member(GetParam().member).record;
    const auto at = static_cast<std::streamoff>(record.offset_bytes + record.size_bytes / 2);
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(at);
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(at);
    file.put(byte);
    ASSERT_TRUE(file.good());
  }
};

TEST_P(ChangedInput, bad_EndsInAnErrorAndNoFile) {
  const test::ScratchFolder scratch;
  const std::string input = scratch.file("in.pt2");
  copy_archive(input);
  ExportOptions changing = options();
  bool changed = false;
  // The first call comes with the first bytes of the program, when every payload was looked at.
  changing.on_progress = [&](std::uint64_t, std::uint64_t) {
    if (!changed) change_member(input);
    changed = true;
    return true;
  };
  try {
    export_file(input, scratch.file("out.pte"), changing);
    ADD_FAILURE() << "exported";
  } catch (const Error& error) {
    EXPECT_TRUE(error.code() == ErrorCode::Malformed || error.code() == ErrorCode::Io);
    EXPECT_NE(std::string(error.what()).find(GetParam().member), std::string::npos) << error.what();
  }
  EXPECT_TRUE(changed);
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"in.pt2"});
}

TEST_P(ChangedInput, IsExportedWhenNothingChanges) {
  const test::ScratchFolder scratch;
  copy_archive(scratch.file("in.pt2"));
  EXPECT_NO_THROW(export_file(scratch.file("in.pt2"), scratch.file("out.pte"), options()));
}

std::string name_of(const testing::TestParamInfo<Change>& info) { return info.param.name; }

constexpr Change kChanges[] = {
    {"Constant", "external/external_kinds.pt2", "data/weights/weight_0", ""},
    {"Engine", "mlp_static.pt2", "data/constants/custom_obj_0", ""},
    {"ExternalConstant", "external/external_kinds.pt2", "data/weights/weight_0", "external"},
    {"InitialValue", "initial_values.pt2", "data/weights/weight_0", "init_buffers"},
};

INSTANTIATE_TEST_SUITE_P(Members, ChangedInput, testing::ValuesIn(kChanges), name_of);

}  // namespace
}  // namespace ptec
