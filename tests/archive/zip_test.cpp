#include "archive/zip.h"

#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <span>
#include <string>

#include "support/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/shared_dir.h"
#include "tests/support/zip_builder.h"

namespace ptec::archive {
namespace {

using test::build_zip;
using test::bytes_of;
using test::fails_with;
using test::ZipFile;
using test::ZipMember;

InputFile file_of(const std::string& zip) {
  return InputFile::from_bytes("test.zip", bytes_of(zip));
}

std::vector<ZipEntry> list(const std::string& zip) {
  const InputFile file = file_of(zip);
  return read_zip_directory(file, 0, file.size_bytes());
}

std::string content(const std::string& zip, std::size_t index) {
  const InputFile file = file_of(zip);
  const std::vector<ZipEntry> entries = read_zip_directory(file, 0, file.size_bytes());
  return std::string(as_text(read_zip_entry(file, entries.at(index), 1u << 20, true)));
}

ZipMember member(std::string name, std::string data) {
  ZipMember out;
  out.name = std::move(name);
  out.data = std::move(data);
  return out;
}

ZipFile two_members() {
  ZipFile zip;
  zip.members = {member("a/one", "first"), member("a/two", "second")};
  return zip;
}

// Names, sizes and offsets below are what Python's zipfile and a hex dump say of these files.
TEST(Zip, ListsWhatTorchWrote) {
  const InputFile file = InputFile::open(test::fixture_path("mlp_static.pt2").string());
  const std::vector<ZipEntry> entries = read_zip_directory(file, 0, file.size_bytes());
  ASSERT_EQ(entries.size(), 10u);
  EXPECT_EQ(entries[0].record.name, "mlp_static/data/weights/model_weights_config.json");
  EXPECT_EQ(entries[0].record.offset_bytes, 0x80u);
  EXPECT_EQ(entries[0].record.size_bytes, 14u);
  EXPECT_EQ(entries[0].record.crc32, 0xB78AF06Eu);
  EXPECT_EQ(entries[1].record.name, "mlp_static/data/constants/custom_obj_0");
  EXPECT_EQ(entries[1].record.offset_bytes, 0x100u);
  EXPECT_EQ(entries[1].record.size_bytes, 26272u);
  EXPECT_EQ(entries[9].record.name, "mlp_static/.data/serialization_id");
  for (const ZipEntry& entry : entries) {
    EXPECT_EQ(entry.method, 0);
    EXPECT_EQ(entry.record.offset_bytes % 64, 0u) << entry.record.name;
    EXPECT_NO_THROW(read_zip_entry(file, entry, 1u << 20, true)) << entry.record.name;
  }
}

// docs/formats/pt2.md has the first bytes of the same file, with notes.
TEST(Zip, DocumentedExampleIsReal) {
  const InputFile file = InputFile::open(test::fixture_path("mlp_static.pt2").string());
  std::ifstream page(test::fixture_path("../../docs/formats/pt2.md"));
  std::string line;
  bool inside = false;
  int checked = 0;
  while (std::getline(page, line)) {
    if (line.starts_with("```")) inside = line == "```hex";
    if (!inside || line.starts_with("```")) continue;
    std::uint64_t offset = std::stoul(line.substr(0, 4), nullptr, 16);
    for (std::size_t at = 6; at + 2 <= line.size() && line[at] != ' '; at += 3) {
      if (std::isxdigit(static_cast<unsigned char>(line[at])) == 0 || line[at + 2] != ' ') break;
      std::byte byte{};
      file.read_at(offset++, std::span(&byte, 1));
      EXPECT_EQ(static_cast<int>(byte), std::stoi(line.substr(at, 2), nullptr, 16)) << line;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 117);
}

TEST(Zip, ListsAZipInsideAZipWithOffsetsInTheWholeFile) {
  const InputFile file = InputFile::open(test::fixture_path("mlp_static.pt2").string());
  const std::vector<ZipEntry> entries = read_zip_directory(file, 0x100, 26272);
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0].record.name, "archive/data.pkl");
  EXPECT_EQ(entries[0].record.offset_bytes, 0x140u);
  EXPECT_EQ(entries[0].record.size_bytes, 25454u);
  EXPECT_EQ(entries[3].record.name, "archive/.data/serialization_id");
}

TEST(Zip, ReadsStoredAndDeflatedMembers) {
  ZipFile zip = two_members();
  zip.members[1].data.assign(5000, 'x');
  zip.members[1].deflate = true;
  const std::string bytes = build_zip(zip);
  EXPECT_EQ(content(bytes, 0), "first");
  EXPECT_EQ(content(bytes, 1), std::string(5000, 'x'));
  EXPECT_LT(list(bytes)[1].record.size_bytes, 100u);
}

TEST(Zip, ReadsFilesThatOtherProgramsWrite) {
  ZipFile zip = two_members();
  zip.zip64_end = false;
  zip.comment = "made by hand";
  for (ZipMember& each : zip.members) {
    each.flags = 0;  // sizes in the header, no descriptor
    each.pad = false;
    each.comment.assign(1, 'c');
  }
  EXPECT_EQ(content(build_zip(zip), 1), "second");
}

TEST(Zip, ReadsZip64FieldsOfSmallMembers) {
  ZipFile zip = two_members();
  for (ZipMember& each : zip.members) each.zip64 = true;
  EXPECT_EQ(content(build_zip(zip), 1), "second");
  zip.members[0].flags = 0x0800;  // sizes in the local header's zip64 field
  EXPECT_EQ(content(build_zip(zip), 0), "first");
}

TEST(Zip, ReadsDescriptorsWithoutASignature) {
  ZipFile zip = two_members();
  zip.members[0].descriptor_signature = false;
  zip.members[1].descriptor_signature = false;
  zip.members[1].zip64 = true;
  EXPECT_EQ(content(build_zip(zip), 1), "second");
}

TEST(Zip, LeavesFoldersOut) {
  ZipFile zip = two_members();
  zip.members.insert(zip.members.begin(), member("a/", ""));
  zip.members[0].flags = 0;
  ASSERT_EQ(list(build_zip(zip)).size(), 2u);
  EXPECT_EQ(content(build_zip(zip), 0), "first");
}

TEST(Zip, ReadsAnEmptyZip) { EXPECT_TRUE(list(build_zip({})).empty()); }

TEST(Zip, PassesOverAnEndRecordInTheComment) {
  ZipFile zip = two_members();
  const std::string other = build_zip(ZipFile());
  zip.comment = "see " + other.substr(other.size() - 22) + "!";
  zip.comment[zip.comment.size() - 3] = 1;  // it even says the right length of its own comment
  EXPECT_EQ(content(build_zip(zip), 1), "second");
  zip.comment.assign(0xFFFF, 'c');
  EXPECT_EQ(content(build_zip(zip), 1), "second");
}

TEST(BadZip, CutShort) {
  const std::string whole = build_zip(two_members());
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "cut short: no end record in its 100 bytes", [&] {
    list(whole.substr(0, 100));
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "cut short", [&] { list(""); }));
}

TEST(BadZip, JunkBehindTheEnd) {
  const std::string whole = build_zip(two_members());
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "3 bytes follow the zip end record", [&] { list(whole + "abc"); }));
}

TEST(BadZip, TwoEndRecords) {
  ZipFile zip = two_members();
  zip.zip64_end = false;
  const std::size_t end = build_zip(zip).size();
  ZipFile hidden;  // an empty zip whose directory ends right where its end record begins
  hidden.zip64_end = false;
  hidden.directory_offset = end;
  zip.comment = build_zip(hidden);
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "two end records", [&] { list(build_zip(zip)); }));
}

TEST(BadZip, SeveralDisks) {
  ZipFile zip = two_members();
  zip.disk = 1;
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "several disks", [&] { list(build_zip(zip)); }));
  zip.zip64_end = false;
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "several disks", [&] { list(build_zip(zip)); }));
  zip.disk = 0;
  zip.members[0].disk = 1;
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "on another disk", [&] { list(build_zip(zip)); }));
}

TEST(BadZip, DirectoryElsewhere) {
  ZipFile zip = two_members();
  zip.directory_offset = 1u << 30;
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "at byte 1073741824, but the directory ends", [&] {
    list(build_zip(zip));
  }));
  zip.directory_offset = 0xFFFFFFFFFFFFFFFFull;
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "but the directory ends", [&] { list(build_zip(zip)); }));
}

TEST(BadZip, WrongNumberOfMembers) {
  ZipFile zip = two_members();
  zip.entries = 1;
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "behind its 1 members", [&] { list(build_zip(zip)); }));
  zip.entries = 3;
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "claims 3 items", [&] { list(build_zip(zip)); }));
  zip.entries = 2'000'000;
  EXPECT_TRUE(fails_with(ErrorCode::Limit, "2000000 members", [&] { list(build_zip(zip)); }));
}

TEST(BadZip, UnsafeNames) {
  const std::pair<const char*, const char*> cases[] = {
      {"../one", "'..' component"},
      {"a/../one", "'..' component"},
      {"a/./one", "'.' or"},
      {"/one", "absolute"},
      {"a//one", "empty component"},
      {"a\\one", "backslash"},
      {"C:one", "drive letter"},
      {"a/one\x01", "control"},
      {"a/\xFF", "not UTF-8"},
      {"a/\xC0\xAF", "not UTF-8"},
      {"", "is empty"},
  };
  for (const auto& each : cases) {
    ZipFile zip = two_members();
    zip.members[0].name = each.first;
    EXPECT_TRUE(fails_with(ErrorCode::Malformed, each.second, [&] { list(build_zip(zip)); }))
        << each.first;
  }
  ZipFile zip = two_members();
  zip.members[0].name = std::string("a\0b", 3);
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "'a\\x00b' has a control character", [&] { list(build_zip(zip)); }));
  zip.members[0].name.assign(5000, 'n');
  EXPECT_TRUE(fails_with(ErrorCode::Limit, "name of 5000 bytes", [&] { list(build_zip(zip)); }));
}

TEST(BadZip, ANameTwice) {
  ZipFile zip = two_members();
  zip.members[1].name = "a/one";
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "member 'a/one': appears twice", [&] { list(build_zip(zip)); }));
}

TEST(BadZip, Encrypted) {
  for (const int flag : {0x0809, 0x0848, 0x2808}) {
    ZipFile zip = two_members();
    zip.members[0].flags = static_cast<std::uint16_t>(flag);
    EXPECT_TRUE(fails_with(ErrorCode::Malformed, "encrypted", [&] { list(build_zip(zip)); }));
  }
}

TEST(BadZip, OtherMethod) {
  ZipFile zip = two_members();
  zip.members[0].method = std::uint16_t{93};
  EXPECT_TRUE(
      fails_with(ErrorCode::Unsupported, "compression method 93", [&] { list(build_zip(zip)); }));
}

TEST(BadZip, LocalHeaderDisagrees) {
  ZipFile zip = two_members();
  zip.members[0].local_name = "a/six";
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "header at byte 0 has another name", [&] { list(build_zip(zip)); }));
  zip = two_members();
  zip.members[0].local_method = std::uint16_t{8};
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "header at byte 0 has another method", [&] { list(build_zip(zip)); }));
  zip = two_members();
  zip.members[1].header_offset = 5;
  zip.members[0].header_offset = 0;
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "overlaps member 'a/one'", [&] { list(build_zip(zip)); }));
}

TEST(BadZip, SizesOutOfRange) {
  ZipFile zip = two_members();
  zip.members[0].stored_size = zip.members[0].inflated_size = 0xFFFFFFFEu;
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "4294967294 bytes behind the header", [&] { list(build_zip(zip)); }));
  zip.members[0].stored_size = zip.members[0].inflated_size = 0xFFFFFFFFFFFFFFFFull;
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "reach past the end of the members", [&] { list(build_zip(zip)); }));
  zip = two_members();
  zip.members[1].header_offset = 0xFFFFFFFFFFFFFFF0ull;
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "lies behind the members", [&] { list(build_zip(zip)); }));
  zip = two_members();
  zip.members[0].inflated_size = 6;
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "its two sizes are 5 and 6", [&] { list(build_zip(zip)); }));
}

TEST(BadZip, BytesThatBelongToNothing) {
  ZipFile zip = two_members();
  zip.members[0].gap = "secret";
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "22 bytes at byte 69 are no data descriptor", [&] {
    list(build_zip(zip));
  }));
  zip.members[0].flags = 0x0800;
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "6 bytes at byte 69, behind member 'a/one'", [&] {
    list(build_zip(zip));
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "which is not right before it", [&] {
    list("junk" + build_zip(two_members()));
  }));
}

TEST(BadZip, Zip64FieldMissingTwiceOrTooLong) {
  ZipFile zip = two_members();
  zip.members[0].central_extra = std::string("\1\0\4\0abcd", 8);
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "zip64 field holds 4 bytes too many", [&] { list(build_zip(zip)); }));
  zip.members[0].central_extra = std::string("\1\0\0\0\1\0\0\0", 8);
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "second zip64 field", [&] { list(build_zip(zip)); }));
  zip.members[0].central_extra = std::string("\7\0\5\0a", 5);
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "extra field at byte", [&] { list(build_zip(zip)); }));
}

// Zeros deflate to a thousandth: a small file must not take much memory.
TEST(BadZip, DeflatedMembersThatInflateToMuchMoreThanTheFile) {
  ZipFile zip;
  zip.members = {member("m/a", std::string((16u << 20) + 1, '\0'))};
  zip.members[0].deflate = true;
  const std::string bytes = build_zip(zip);
  const InputFile file = file_of(bytes);
  const std::vector<ZipEntry> entries = read_zip_directory(file, 0, file.size_bytes());
  EXPECT_EQ(max_inflated_bytes(file), 16u << 20);
  EXPECT_TRUE(fails_with(ErrorCode::Limit,
                         "to 16777217, at most 16777216 are inflated of a file of this size; "
                         "store it instead",
                         [&] { read_zip_entry(file, entries[0], 1u << 30, true); }));
}

TEST(BadZip, DeflatedMembersThatLie) {
  ZipFile zip = two_members();
  zip.members[0].data.assign(100, 'x');
  zip.members[0].deflate = true;
  zip.members[0].flags = 0;
  zip.members[0].inflated_size = 1'000'000;
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "cannot inflate to 1000000", [&] { list(build_zip(zip)); }));
  zip.members[0].flags = 0x0808;
  zip.members[0].inflated_size = 101;
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "disagrees with the directory", [&] { list(build_zip(zip)); }));
  // One that agrees with itself, but whose deflated bytes are something else.
  ZipEntry entry;
  entry.record = {"x", 0, 4, 0};
  entry.method = 8;
  entry.inflated_size_bytes = 50;
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "do not inflate to the 50 bytes", [&] {
    read_zip_entry(file_of("\x07\x07\x07\x07"), entry, 1000, true);
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Limit, "has 50 bytes, at most 49", [&] {
    read_zip_entry(file_of("\x07\x07\x07\x07"), entry, 49, true);
  }));
}

TEST(BadZip, WrongChecksum) {
  ZipFile zip = two_members();
  zip.members[0].flags = 0x0800;
  zip.members[0].crc32 = 1;
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "member 'a/one': damaged: the crc-32 of its 5", [&] {
    content(build_zip(zip), 0);
  }));
  EXPECT_EQ(content(build_zip(zip), 1), "second");
}

}  // namespace
}  // namespace ptec::archive
