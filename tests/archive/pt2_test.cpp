#include "archive/pt2.h"

#include <gtest/gtest.h>

#include <optional>

#include "support/error.h"
#include "support/payload_reader.h"
#include "tests/support/expect_error.h"
#include "tests/support/shared_dir.h"
#include "tests/support/zip_builder.h"

namespace ptec::archive {
namespace {

using test::build_zip;
using test::bytes_of;
using test::fails_with;
using test::pt2_zip;
using test::ZipFile;
using test::ZipMember;

Pt2Archive open_bytes(const std::string& bytes) {
  return Pt2Archive::from_file(InputFile::from_bytes("x.pt2", bytes_of(bytes)));
}

Pt2Archive open_zip(const ZipFile& zip) { return open_bytes(build_zip(zip)); }

std::string content(const Pt2Archive& archive, std::string_view name) {
  return std::string(as_text(archive.read_member(name, 1u << 20)));
}

ZipMember member(std::string name, std::string data) {
  ZipMember out;
  out.name = std::move(name);
  out.data = std::move(data);
  return out;
}

// The archive of pt2_zip() with one member's data replaced, or the member left out.
ZipFile with(const std::string& name, const char* data) {
  ZipFile zip = pt2_zip();
  std::vector<ZipMember> kept;
  for (ZipMember& each : zip.members) {
    if (each.name == "m/" + name) {
      if (data == nullptr) continue;
      each.data = data;
    }
    kept.push_back(each);
  }
  zip.members = kept;
  return zip;
}

TEST(Pt2, OpensWhatTorchWrote) {
  const Pt2Archive archive = Pt2Archive::open(test::fixture_path("mlp_static.pt2").string());
  EXPECT_EQ(archive.root(), "mlp_static");
  EXPECT_EQ(archive.model_names(), std::vector<std::string>{"model"});
  EXPECT_EQ(archive.entries().size(), 10u);
  EXPECT_EQ(content(archive, "data/weights/model_weights_config.json"), "{\"config\": {}}");
  EXPECT_EQ(archive.member("models/model.json").record.size_bytes, 3215u);
  EXPECT_EQ(archive.find_member("mlp_static/models/model.json"), nullptr);
  EXPECT_EQ(archive.find_member("nothing"), nullptr);
}

TEST(Pt2, WhatWasReadFromItOutlivesIt) {
  std::optional<Payload> payload;
  {
    const Pt2Archive archive = Pt2Archive::open(test::fixture_path("mlp_static.pt2").string());
    const FileRecord& record = archive.member("byteorder").record;
    payload = Payload::of_range(
        archive.source(), record, record.offset_bytes, record.size_bytes, PayloadEncoding::Raw);
  }
  RecordSums sums;
  EXPECT_EQ(read_payload(*payload, 10, sums), bytes_of("little"));
}

TEST(Pt2, TakesAnyRootAndSeveralModels) {
  const Pt2Archive archive = open_zip(
      pt2_zip({member("models/a/b.json", "{}"), member("extra/note", "hi")}, "b\xC3\xA4r v1.0"));
  EXPECT_EQ(archive.root(), "b\xC3\xA4r v1.0");
  EXPECT_EQ(archive.model_names(), (std::vector<std::string>{"a/b", "model"}));
  EXPECT_EQ(content(archive, "extra/note"), "hi");
}

TEST(Pt2, ReadsDeflatedPayloadsLikeStoredOnes) {
  ZipFile zip = pt2_zip({member("data/weights/weight_0", std::string(3000, 'w')),
                         member("data/constants/tensor_0", std::string(2000, 't'))});
  for (ZipMember& each : zip.members) each.deflate = true;
  const Pt2Archive archive = open_zip(zip);
  EXPECT_EQ(content(archive, "models/model.json"), "{}");
  for (const auto& [name, bytes] : {std::pair{"data/weights/weight_0", std::string(3000, 'w')},
                                    std::pair{"data/constants/tensor_0", std::string(2000, 't')}}) {
    const ZipEntry& entry = archive.member(name);
    EXPECT_EQ(entry.method, 0);
    EXPECT_EQ(entry.record.size_bytes, bytes.size());
    EXPECT_EQ(content(archive, name), bytes);
  }
}

TEST(Pt2, ReadsAnArchiveThatAnOrdinaryZipProgramWrote) {
  ZipFile zip = pt2_zip();
  zip.zip64_end = false;
  for (ZipMember& each : zip.members) {
    each.flags = 0;
    each.pad = false;
    each.deflate = each.data.size() > 8;
  }
  zip.members.insert(zip.members.begin(), member("m/", ""));
  zip.members[0].flags = 0;
  EXPECT_EQ(open_zip(zip).model_names().size(), 1u);
}

TEST(BadPt2, MarkersThatAreNotAsTorchWrites) {
  const struct {
    const char* name;
    const char* data;
    ErrorCode code;
    const char* message;
  } cases[] = {
      {"archive_format", "pt3", ErrorCode::Malformed, "'archive_format' is 'pt3', wanted 'pt2'"},
      {"archive_format", nullptr, ErrorCode::Malformed, "has no member 'archive_format'"},
      {"archive_version", "1", ErrorCode::Malformed, "'archive_version' is '1', wanted '0'"},
      {"archive_version", nullptr, ErrorCode::Malformed, "has no member 'archive_version'"},
      {".data/version", "11\n", ErrorCode::Malformed, "is '11', wanted a number from 1 to 10"},
      {".data/version", "0\n", ErrorCode::Malformed, "is '0', wanted a number from 1 to 10"},
      {".data/version", nullptr, ErrorCode::Malformed, "has no member '.data/version'"},
      {"byteorder", "big", ErrorCode::Unsupported, "big-endian"},
      {"byteorder", "mid\ndle", ErrorCode::Malformed, "'byteorder' is 'mid\\x0adle'"},
      {"byteorder", nullptr, ErrorCode::Malformed, "has no member 'byteorder'"},
  };
  for (const auto& each : cases) {
    EXPECT_TRUE(fails_with(each.code, each.message, [&] { open_zip(with(each.name, each.data)); }))
        << each.name;
  }
  const std::string long_text(1000, 'x');
  EXPECT_TRUE(fails_with(ErrorCode::Limit, "archive 'x.pt2': member 'm/byteorder' has 1000", [&] {
    open_zip(with("byteorder", long_text.c_str()));
  }));
}

TEST(BadPt2, NoProgram) {
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "no program in it", [] {
    open_zip(with("models/model.json", nullptr));
  }));
}

TEST(BadPt2, MemberOutsideTheRoot) {
  ZipFile zip = pt2_zip();
  zip.members.push_back(member("other/file", "x"));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed,
                         "'other/file' lies outside the root folder 'm'",
                         [&] { open_zip(zip); }));
  zip.members.back().name = "m";
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "'m' lies outside the root", [&] { open_zip(zip); }));
}

TEST(BadPt2, LayoutOfTorch28) {
  EXPECT_TRUE(fails_with(ErrorCode::Unsupported, "a program saved by torch 2.8 (it has", [] {
    open_zip(pt2_zip({member("data/weights/model.pt", "x")}));
  }));
}

TEST(BadPt2, CutShortOrMissingMember) {
  const std::string whole = build_zip(pt2_zip());
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "archive 'x.pt2': zip file is cut short", [&] {
    open_bytes(whole.substr(0, 500));
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "the archive has no member 'models/x.json'", [&] {
    open_bytes(whole).member("models/x.json");
  }));
}

}  // namespace
}  // namespace ptec::archive
