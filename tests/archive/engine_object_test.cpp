#include "archive/engine_object.h"

#include <gtest/gtest.h>

#include <fstream>

#include "archive/pt2.h"
#include "support/error.h"
#include "support/limits.h"
#include "support/payload_reader.h"
#include "tests/support/expect_error.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"
#include "tests/support/zip_builder.h"

namespace ptec::archive {
namespace {

using test::build_zip;
using test::bytes_of;
using test::fails_with;

std::string text(const std::string& value) {
  std::string out = "X";
  for (int i = 0; i < 4; ++i) {
    out += static_cast<char>(static_cast<unsigned char>(value.size() >> (8 * i)));
  }
  return out + value;
}

std::string torchbind_pickle(const std::vector<std::string>& fields) {
  std::string out =
      "\x80\x02"
      "c__torch__.torch.classes.tensorrt\nEngine\n)\x81";
  out += "ctorch.jit._pickle\nrestore_type_tag\n](";
  for (const std::string& field : fields) out += text(field);
  return out + "e" + text("List[str]") + "\x86Rb.";
}

std::string bare_pickle(const std::vector<std::string>& fields) {
  std::string out =
      "\x80\x02"
      "ctorch_tensorrt.dynamo.runtime._TRTEngine\n_reconstruct_trt_engine\n](";
  for (const std::string& field : fields) out += text(field);
  return out + "e\x85R.";
}

std::string nested_zip(const std::string& pickle) {
  test::ZipFile zip;
  test::ZipMember member;
  member.name = "archive/data.pkl";
  member.data = pickle;
  zip.members.push_back(member);
  return build_zip(zip);
}

// A file that is one record.
struct OneRecord {
  explicit OneRecord(const std::string& bytes)
      : file(ByteSource::of_file(InputFile::from_bytes("test", bytes_of(bytes)))),
        record{"m/data/constants/custom_obj_0", 0, bytes.size(), 0} {}
  EngineObject read() const { return read_engine_object(file, record); }
  ByteSource::Handle file;
  FileRecord record;
};

std::vector<std::string> fields_with(const std::string& engine) {
  return {"7", "eng", "0%8%0%0%GPU", engine, "x", "y", "0", "", "linux_x86_64", "0"};
}

std::vector<EngineObject> read_all(const Pt2Archive& archive) {
  std::vector<EngineObject> out;
  for (const ZipEntry& entry : archive.entries()) {
    if (entry.record.name.find("_obj_") != std::string::npos) {
      out.push_back(read_engine_object(archive.source(), entry.record));
    }
  }
  return out;
}

TEST(EngineObject, ReadsATorchBindObject) {
  const Pt2Archive archive = Pt2Archive::open(test::fixture_path("mlp_static.pt2").string());
  const std::vector<EngineObject> engines = read_all(archive);
  ASSERT_EQ(engines.size(), 1u);
  const EngineObject& engine = engines[0];
  EXPECT_EQ(engine.encoding, EngineEncoding::TorchBind);
  ASSERT_EQ(engine.fields.size(), 13u);
  EXPECT_EQ(engine.fields[0], "10");
  EXPECT_EQ(engine.fields[1], "_run_on_acc_0_engine");
  EXPECT_EQ(engine.fields[2], "0%8%0%0%NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(engine.fields[3], "");
  EXPECT_EQ(engine.fields[4], "input_1");
  EXPECT_EQ(engine.fields[5], "output0");
  EXPECT_EQ(engine.fields[8], "linux_x86_64");
  EXPECT_EQ(engine.fields[9], "0");
  EXPECT_EQ(engine.fields[12], "");
  // pickletools says: BINUNICODE at 159 of the pickle, BINPUT at 23020; the pickle begins at byte
  // 0x140.
  EXPECT_EQ(engine.engine.offset_bytes(), 0x140u + 159 + 5);
  EXPECT_EQ(engine.engine.encoded_size_bytes(), 23020u - 159 - 5);
  RecordSums sums;
  PayloadReader reader(engine.engine, sums);
  std::string bytes;
  for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) bytes += as_text(chunk);
  EXPECT_EQ(bytes.size(), engine.engine.size_bytes());
  EXPECT_EQ(bytes.substr(0, 4), "vtrt");
}

TEST(EngineObject, HasTheSameRecordInEveryEncoding) {
  for (const std::string name : {"mlp_static", "two_engines", "dynamic_batch"}) {
    const Pt2Archive torchbind = Pt2Archive::open(test::fixture_path(name + ".pt2").string());
    const Pt2Archive python = Pt2Archive::open(test::fixture_path(name + ".saved.pt2").string());
    const std::vector<EngineObject> a = read_all(torchbind);
    const std::vector<EngineObject> b = read_all(python);
    ASSERT_EQ(a.size(), b.size());
    ASSERT_FALSE(a.empty());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].encoding, EngineEncoding::TorchBind);
      EXPECT_EQ(b[i].encoding, EngineEncoding::Reconstruct);
      EXPECT_EQ(a[i].fields, b[i].fields);
      EXPECT_TRUE(same_bytes(a[i].engine, b[i].engine));
    }
  }
}

TEST(EngineObject, ReadsMadeUpRecords) {
  const OneRecord nested(nested_zip(torchbind_pickle(fields_with("dnRydAE="))));
  EXPECT_EQ(read_payload(nested.read().engine, 10), bytes_of("vtrt\x01"));
  EXPECT_EQ(nested.read().encoding, EngineEncoding::TorchBind);
  const OneRecord bare(bare_pickle(fields_with("dnRydAE=")));
  EXPECT_EQ(bare.read().encoding, EngineEncoding::Reconstruct);
  EXPECT_EQ(bare.read().engine.size_bytes(), 5u);
}

// A hole in the file stands for the text, so this needs no disk and shows that the text is skipped.
TEST(EngineObject, SkipsAnEngineOfMoreThan4GiB) {
  constexpr std::uint64_t kTextBytes = (std::uint64_t{1} << 32) + 8;
  const test::ScratchFolder folder;
  std::string front(
      "\x80\x04"
      "ctorch_tensorrt.dynamo.runtime._TRTEngine\n_reconstruct_trt_engine\n](");
  front += text("7") + text("eng") + text("dev");
  const std::uint64_t text_offset = front.size() + 9;
  std::string back = "AAAA" + text("x") + text("y") + "e\x85R.";
  {
    std::ofstream out(folder.file("f"), std::ios::binary);
    out << front << '\x8D' << std::string("\x08\0\0\0\1\0\0\0", 8);
    out.seekp(static_cast<std::streamoff>(text_offset + kTextBytes - 4));
    out << back;
  }
  const ByteSource::Handle file = ByteSource::of_file(InputFile::open(folder.file("f")));
  const FileRecord record{"record", 0, file->file()->size_bytes(), 0};
  const EngineObject engine = read_engine_object(file, record);
  EXPECT_EQ(engine.fields, (std::vector<std::string>{"7", "eng", "dev", "", "x", "y"}));
  EXPECT_EQ(engine.engine.offset_bytes(), text_offset);
  EXPECT_EQ(engine.engine.encoded_size_bytes(), kTextBytes);
  EXPECT_EQ(engine.engine.size_bytes(), kTextBytes / 4 * 3);
}

TEST(BadEngineObject, TooFewFields) {
  const OneRecord record(bare_pickle({"7", "eng", "dev"}));
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed,
                 "member 'm/data/constants/custom_obj_0': engine record has 3 fields; ABI 7 has 10",
                 [&] { record.read(); }));
}

TEST(BadEngineObject, EncodingAndContainerDisagree) {
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "a torchbind engine outside of a zip", [] {
    OneRecord(torchbind_pickle(fields_with("AAAA"))).read();
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "a Python engine in a zip file", [] {
    OneRecord(nested_zip(bare_pickle(fields_with("AAAA")))).read();
  }));
}

TEST(BadEngineObject, NestedZipWithoutAPickle) {
  test::ZipFile zip;
  test::ZipMember member;
  member.name = "archive/other";
  zip.members.push_back(member);
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "has no archive/data.pkl", [&] { OneRecord(build_zip(zip)).read(); }));
  zip.members[0].name = "archive/data.pkl";
  zip.members[0].data = torchbind_pickle(fields_with("AAAA"));
  zip.members[0].deflate = true;
  EXPECT_TRUE(fails_with(ErrorCode::Unsupported, "data.pkl in it is compressed", [&] {
    OneRecord(build_zip(zip)).read();
  }));
}

TEST(BadEngineObject, FieldsThatAreNotTextOrTooLong) {
  std::vector<std::string> fields = fields_with("AAAA");
  fields[4] = "\xFF";
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "engine record's field 4 at byte", [&] {
    OneRecord(bare_pickle(fields)).read();
  }));
  fields[4].assign(kMaxRecordFieldBytes + 1, 'x');
  EXPECT_TRUE(fails_with(
      ErrorCode::Limit, "engine record's fields have over", [&] { OneRecord(bare_pickle(fields)).read(); }));
}

TEST(BadEngineObject, Base64OfTheWrongLengthOrPadding) {
  const std::pair<const char*, const char*> cases[] = {
      {"AAAAA", "length is not a multiple of four"},
      {"AAA=A", "length is not a multiple of four"},
      {"A===", "padding"},
      {"AA=A", "padding"},
  };
  for (const auto& each : cases) {
    const OneRecord record(bare_pickle(fields_with(each.first)));
    EXPECT_TRUE(fails_with(ErrorCode::Malformed, each.second, [&] { record.read(); }));
  }
}

TEST(BadEngineObject, Base64ThatOnlyReadingShows) {
  const std::pair<const char*, const char*> cases[] = {
      {"AAAA\nAAAAAA=", "a character outside the base64 alphabet at byte"},
      {"AA==AAAA", "padding that is not at the end at byte"},
      {"AAAAAAB=", "dropped bits are not zero at byte"},
      {"AAAA-_AA", "a character outside the base64 alphabet at byte"},
  };
  for (const auto& each : cases) {
    const OneRecord record(bare_pickle(fields_with(each.first)));
    const EngineObject engine = record.read();
    EXPECT_TRUE(
        fails_with(ErrorCode::Malformed, each.second, [&] { read_payload(engine.engine, 100); }));
  }
}

}  // namespace
}  // namespace ptec::archive
