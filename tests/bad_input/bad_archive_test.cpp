// Damaged archives through the whole exporter: an error of the right kind, or the same program as
// without the damage.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptec/error.h"
#include "ptec/export.h"
#include "tests/support/engine_archive.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"
#include "tests/support/zip_repair.h"

namespace ptec::test {
namespace {

namespace fs = std::filesystem;

// In memory where the system has such a folder: thousands of files are written.
fs::path fast_folder() { return ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : fs::path(); }

class BadArchive : public testing::Test {
 protected:
  BadArchive() : scratch_(fast_folder()) {}

  std::string input() const { return scratch_.file("in.pt2"); }
  std::string output() const { return scratch_.file("out.pte"); }

  // The program, or nothing when the archive was refused. An Internal error is a failure of the
  // test.
  std::optional<std::string> exported() {
    try {
      export_file(input(), output());
    } catch (const Error& error) {
      EXPECT_NE(error.code(), ErrorCode::Internal) << error.what();
      EXPECT_NE(error.code(), ErrorCode::InvalidArgument) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      EXPECT_FALSE(fs::exists(output()));
      return std::nullopt;
    }
    std::string program = read_file(output());
    fs::remove(output());
    return program;
  }

  void expect_refused_or_equal(const std::string& expected) {
    const std::optional<std::string> program = exported();
    EXPECT_TRUE(!program || *program == expected) << "another program came out";
  }

  // Writes `value` over one byte of the input.
  void poke(std::uint64_t offset_bytes, char value) {
    std::fstream file(input(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(offset_bytes));
    file.put(value);
    file.flush();
    ASSERT_TRUE(file.good());
  }

  // Each byte of [begin, end) of `content` in turn with one bit turned over, another one each time.
  void flip_each_byte(const std::string& content,
                      const std::string& expected,
                      std::size_t begin,
                      std::size_t end) {
    write_file(input(), content);
    for (std::size_t at = begin; at < end && !HasFailure(); ++at) {
      SCOPED_TRACE("byte " + std::to_string(at));
      poke(at, static_cast<char>(content[at] ^ static_cast<char>(1 << (at % 8))));
      expect_refused_or_equal(expected);
      poke(at, content[at]);
    }
  }

  // The same with all bits of each byte.
  void invert_each_byte(const std::string& content,
                        const std::string& expected,
                        std::size_t begin,
                        std::size_t end) {
    write_file(input(), content);
    for (std::size_t at = begin; at < end && !HasFailure(); ++at) {
      SCOPED_TRACE("byte " + std::to_string(at));
      poke(at, static_cast<char>(~content[at]));
      expect_refused_or_equal(expected);
      poke(at, content[at]);
    }
  }

  // Cuts the file shorter and shorter.
  void cut_everywhere(const std::string& content, std::size_t step) {
    write_file(input(), content);
    for (std::size_t size = content.size() - 1; !HasFailure(); size -= std::min(size, step)) {
      SCOPED_TRACE("first " + std::to_string(size) + " bytes");
      ASSERT_EQ(::truncate(input().c_str(), static_cast<::off_t>(size)), 0);
      EXPECT_FALSE(exported()) << "a cut archive was exported";
      if (size == 0) break;
    }
  }

  ScratchFolder scratch_;
};

std::size_t directory_offset(const std::string& content) {
  return list_zip_members(content).front().entry_offset;
}

TEST_F(BadArchive, bad_EveryPrefixIsRefused) {
  cut_everywhere(read_file(fixture_path("mlp_static.pt2")), 1);
  EXPECT_EQ(scratch_.names(), std::vector<std::string>{"in.pt2"});
}

TEST_F(BadArchive, bad_PrefixesOfASavedArchiveAreRefused) {
  cut_everywhere(read_file(fixture_path("mlp_static.saved.pt2")), 37);
}

TEST_F(BadArchive, bad_PrefixesOfALargeArchiveAreRefused) {
  cut_everywhere(read_file(fixture_path("conv_static.pt2")), 4093);
}

TEST_F(BadArchive, bad_EveryFlippedByteOfTheDirectory) {
  const std::string content = read_file(fixture_path("mlp_static.pt2"));
  const std::string expected = read_file(fixture_path("mlp_static.pte"));
  flip_each_byte(content, expected, directory_offset(content), content.size());
  invert_each_byte(content, expected, directory_offset(content), content.size());
  EXPECT_EQ(scratch_.names(), std::vector<std::string>{"in.pt2"});
}

TEST_F(BadArchive, bad_EveryFlippedByteOfTheEngineRecord) {
  const std::string content = read_file(fixture_path("mlp_static.pt2"));
  const std::string expected = read_file(fixture_path("mlp_static.pte"));
  // From the archive's start over the engine's object to the constants' table behind it.
  const std::size_t end = content.find("model_constants_config.json");
  ASSERT_NE(end, std::string::npos);
  flip_each_byte(content, expected, 0, end);
  EXPECT_EQ(scratch_.names(), std::vector<std::string>{"in.pt2"});
}

TEST_F(BadArchive, bad_FlippedBytesOfTheProgram) {
  const std::string content = read_file(fixture_path("mlp_static.pt2"));
  const std::string expected = read_file(fixture_path("mlp_static.pte"));
  const std::size_t begin = content.find("model_constants_config.json");
  ASSERT_LT(begin, directory_offset(content));
  flip_each_byte(content, expected, begin, directory_offset(content));
}

TEST_F(BadArchive, bad_FlippedBytesOfASmallArchiveThroughTheWholeFile) {
  for (const RecordForm form : {RecordForm::Pickle4, RecordForm::TorchBind}) {
    write_engine_archive(input(), {.engine_size_bytes = 40, .form = form, .seed = 3});
    const std::string content = read_file(input());
    const std::optional<std::string> expected = exported();
    ASSERT_TRUE(expected);
    flip_each_byte(content, *expected, 0, content.size());
    invert_each_byte(content, *expected, 0, content.size());
  }
}

// CRC-32 lets no changed member through. With the sums made right again, the readers of what is
// inside see the damage. The program that comes out may then be another one; it must only be no
// fault of ours.
class BadMember : public BadArchive {
 protected:
  void flip_member(const std::string& content, const ZipMember& member) {
    for (std::size_t at = 0; at < member.size_bytes && !HasFailure(); ++at) {
      SCOPED_TRACE(member.name + " byte " + std::to_string(at));
      for (const int mask : {0xFF, 0x80, 0x20, 0x01}) {
        std::string damaged = content;
        char& byte = damaged[member.data_offset + at];
        byte = static_cast<char>(byte ^ static_cast<char>(mask));
        repair_nested_sums(damaged, member);
        repair_zip_sum(damaged, member);
        write_file(input(), damaged);
        exported();
      }
    }
  }

  // The object of a torchbind engine is a zip file itself; its directory is taken from the
  // undamaged one.
  void repair_nested_sums(std::string& damaged, const ZipMember& member) const {
    for (const ZipMember& inner : nested_) repair_zip_sum(damaged, inner, member.data_offset);
  }

  std::vector<ZipMember> nested_;
};

TEST_F(BadMember, bad_FlippedBytesOfEveryMemberWithRightSums) {
  for (const RecordForm form : {RecordForm::Pickle4, RecordForm::TorchBind}) {
    write_engine_archive(input(), {.engine_size_bytes = 40, .form = form, .seed = 5});
    const std::string content = read_file(input());
    for (const ZipMember& member : list_zip_members(content)) {
      nested_.clear();
      if (member.name.find("custom_obj_") != std::string::npos) {
        nested_ = list_zip_members(
            std::string_view(content).substr(member.data_offset, member.size_bytes));
      }
      flip_member(content, member);
    }
  }
}

TEST_F(BadMember, bad_CutProgramWithRightSums) {
  write_engine_archive(input(), {.engine_size_bytes = 40, .form = RecordForm::Pickle4, .seed = 6});
  const std::string content = read_file(input());
  for (const ZipMember& member : list_zip_members(content)) {
    if (member.name.find("models/model.json") == std::string::npos) continue;
    // Blanks in place of the end: the JSON stops, the sizes stay right.
    for (std::size_t kept = 0; kept < member.size_bytes && !HasFailure(); kept += 7) {
      std::string damaged = content;
      std::fill_n(damaged.begin() + static_cast<std::ptrdiff_t>(member.data_offset + kept),
                  member.size_bytes - kept,
                  ' ');
      repair_zip_sum(damaged, member);
      write_file(input(), damaged);
      EXPECT_FALSE(exported()) << "first " << kept << " bytes";
    }
  }
}

}  // namespace
}  // namespace ptec::test
