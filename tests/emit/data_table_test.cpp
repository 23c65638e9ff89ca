#include "emit/data_table.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include "support/base64.h"
#include "support/crc32.h"
#include "support/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/scratch.h"
#include "tests/support/zip_builder.h"

namespace ptec::emit {
namespace {

using test::bytes_of;
using test::fails_with;

Payload in_memory(std::string_view text) { return Payload::of_bytes(bytes_of(text)); }

Blob blob_of(std::vector<Payload> pieces) {
  Blob out;
  out.pieces = std::move(pieces);
  return out;
}

/// Records in one file on disk, each with its true checksum.
class Records {
 public:
  explicit Records(const std::vector<std::string>& contents) {
    std::string all;
    for (const std::string& content : contents) {
      records_.push_back({"m/" + std::to_string(records_.size()),
                          all.size(),
                          content.size(),
                          crc32(0, as_bytes(content))});
      all += content;
    }
    test::write_file(path(), all);
    source_ = ByteSource::of_file(InputFile::open(path()));
  }

  std::string path() const { return folder_.file("f"); }
  Payload payload(std::size_t index, PayloadEncoding encoding = PayloadEncoding::Raw) const {
    const FileRecord& record = records_[index];
    return Payload::of_range(source_, record, record.offset_bytes, record.size_bytes, encoding);
  }
  /// A payload whose record is said to have another checksum.
  Payload damaged(std::size_t index) const {
    FileRecord record = records_[index];
    record.crc32 ^= 1;
    return Payload::of_range(
        source_, record, record.offset_bytes, record.size_bytes, PayloadEncoding::Raw);
  }

 private:
  test::ScratchFolder folder_;
  std::vector<FileRecord> records_;
  ByteSource::Handle source_;
};

/// What this process has read so far, by the kernel's count.
std::uint64_t read_so_far(const std::string& what) {
  std::ifstream in("/proc/self/io");
  std::string key;
  std::uint64_t value = 0;
  while (in >> key >> value) {
    if (key == what + ":") return value;
  }
  return 0;
}

TEST(DataTable, NumbersContentsInTheOrderInWhichTheyCome) {
  RecordSums sums;
  DataTable table(sums);
  EXPECT_EQ(table.add(in_memory("one")), 0u);
  EXPECT_EQ(table.add(in_memory("three")), 1u);
  EXPECT_EQ(table.add(in_memory("two")), 2u);
  EXPECT_EQ(table.add(in_memory("one")), 0u);
  EXPECT_EQ(table.add(in_memory("two")), 2u);
  EXPECT_EQ(table.add(in_memory("")), 3u);
  EXPECT_EQ(table.add(Payload()), 3u);
  EXPECT_EQ(table.add(Blob()), 3u);
  EXPECT_EQ(table.contents().size(), 4u);
}

TEST(DataTable, EqualBytesAreOneWhateverTheyArePiecedTogetherFrom) {
  const Records records({"bytes", "Ynl0ZXM=", "by", "tes"});  // the second is base64 of the first
  RecordSums sums;
  DataTable table(sums);
  EXPECT_EQ(table.add(records.payload(0)), 0u);
  EXPECT_EQ(table.add(records.payload(1, PayloadEncoding::Base64)), 0u);
  EXPECT_EQ(table.add(blob_of({records.payload(2), records.payload(3)})), 0u);
  EXPECT_EQ(table.add(blob_of({in_memory("b"), Payload(), in_memory("ytes")})), 0u);
  EXPECT_EQ(table.add(records.payload(0).part(1, 3, "x")), 1u);
  EXPECT_EQ(table.add(in_memory("yte")), 1u);
  EXPECT_EQ(table.add(records.payload(1)), 2u);
}

// A small alphabet, so that sizes, heads and whole contents meet often; heads are as long as what
// the table looks at first.
TEST(DataTable, AgreesWithAMapOfTheContents) {
  std::mt19937 random(3);
  const std::string head(std::size_t{64} << 10, 'h');
  RecordSums sums;
  DataTable table(sums);
  std::map<std::string, std::uint32_t> wanted;
  for (int i = 0; i < 800; ++i) {
    std::string content = random() % 2 == 0 ? head : "";
    for (std::size_t left = random() % 4; left > 0; --left) content += random() % 2 ? 'a' : 'b';
    const std::size_t split = random() % (content.size() + 1);
    const Blob blob =
        blob_of({in_memory(content.substr(0, split)), in_memory(content.substr(split))});
    const auto index = static_cast<std::uint32_t>(wanted.size());
    EXPECT_EQ(table.add(blob), wanted.try_emplace(content, index).first->second);
  }
  EXPECT_EQ(wanted.size(), 30u);
}

TEST(DataTable, ReadsNothingThatIsAloneWithItsSizeOrThereAlready) {
  const Records records({"first", "second", "first again"});
  std::filesystem::resize_file(records.path(), 0);
  RecordSums sums;
  DataTable table(sums);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(table.add(records.payload(0)), 0u);
    EXPECT_EQ(table.add(blob_of({in_memory("head"), records.payload(1)})), 1u);
    EXPECT_EQ(table.add(records.payload(2).part(6, 2, "x")), 2u);
  }
  EXPECT_TRUE(fails_with(
      ErrorCode::Io, "became shorter", [&] { table.add(records.payload(2).part(0, 5, "x")); }));
}

TEST(DataTable, bad_WhatIsDroppedIsDamaged) {
  const Records records({"same", "same", "else"});
  RecordSums sums;
  DataTable table(sums);
  table.add(records.payload(0));
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "member 'm/1'", [&] { table.add(records.damaged(1)); }));
  // What is kept is checked when it is written.
  EXPECT_EQ(table.add(records.damaged(2)), 1u);
}

std::vector<std::string> contents_of_one_size(std::size_t count,
                                              std::size_t same_bytes,
                                              std::size_t other_bytes) {
  std::mt19937 random(4);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i) {
    std::string content(same_bytes, 's');
    for (std::size_t k = 0; k < other_bytes; ++k) content += static_cast<char>(random() % 256);
    out.push_back(std::move(content));
  }
  return out;
}

struct Reads {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
};

Reads reads_of(const std::vector<std::string>& contents) {
  const Records records(contents);
  std::vector<Payload> payloads;
  for (std::size_t i = 0; i < contents.size(); ++i) payloads.push_back(records.payload(i));
  RecordSums sums;
  DataTable table(sums);
  const Reads before{read_so_far("syscr"), read_so_far("rchar")};
  for (const Payload& payload : payloads) table.add(payload);
  const Reads after{read_so_far("syscr"), read_so_far("rchar")};
  EXPECT_EQ(table.contents().size(), contents.size());
  return {after.calls - before.calls, after.bytes - before.bytes};
}

TEST(DataTable, ReadsGrowWithTheNumberOfContentsNotWithItsSquare) {
  const std::size_t small = 1000;
  const Reads of_small = reads_of(contents_of_one_size(5000, 0, small));
  EXPECT_LE(of_small.calls, 5000u + 100);  // 665,633 for 800 when each was compared with each
  EXPECT_LE(of_small.bytes, 5000u * small + 10'000);

  // Their first differences lie behind what is looked at first.
  const std::size_t size = (std::size_t{64} << 10) + 100;
  const Reads of_large = reads_of(contents_of_one_size(300, std::size_t{64} << 10, 100));
  EXPECT_LE(of_large.bytes, 2 * 300 * size + 10 * size);
}

}  // namespace
}  // namespace ptec::emit
