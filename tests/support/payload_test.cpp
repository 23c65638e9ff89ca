#include "support/payload.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "support/crc32.h"
#include "support/error.h"
#include "support/payload_reader.h"
#include "tests/support/expect_error.h"
#include "tests/support/scratch.h"
#include "tests/support/zip_builder.h"

namespace ptec {
namespace {

using test::bytes_of;
using test::fails_with;

// A file with a record inside, and a payload inside the record.
struct Sample {
  Sample(const std::string& prefix, const std::string& text, const std::string& suffix)
      : file(source_of("head" + prefix + text + suffix + "tail")),
        record{"m/x",
               4,
               prefix.size() + text.size() + suffix.size(),
               crc32(0, as_bytes(prefix + text + suffix))},
        offset(4 + prefix.size()),
        size(text.size()) {}
  Payload payload(PayloadEncoding encoding) const {
    return Payload::of_range(file, record, offset, size, encoding);
  }
  static ByteSource::Handle source_of(const std::string& content) {
    return ByteSource::of_file(InputFile::from_bytes("f", bytes_of(content)));
  }
  ByteSource::Handle file;
  FileRecord record;
  std::uint64_t offset;
  std::uint64_t size;
};

std::string drain(PayloadReader& reader) {
  std::string out;
  for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) out += as_text(chunk);
  EXPECT_TRUE(reader.next().empty());
  return out;
}

std::string read_unchecked(const Payload& payload) {
  PayloadReader reader(payload);
  return drain(reader);
}

std::string read_checked(const Payload& payload) {
  RecordSums sums;
  PayloadReader reader(payload, sums);
  return drain(reader);
}

TEST(Payload, ReadsRawAndBase64Ranges) {
  const Sample sample("before", "Zm9vYmE=", "after");
  EXPECT_EQ(read_checked(sample.payload(PayloadEncoding::Raw)), "Zm9vYmE=");
  const Payload decoded = sample.payload(PayloadEncoding::Base64);
  EXPECT_EQ(decoded.size_bytes(), 5u);
  EXPECT_EQ(read_unchecked(decoded), "fooba");
  EXPECT_EQ(read_checked(decoded), "fooba");
  EXPECT_EQ(read_payload(decoded, 5), bytes_of("fooba"));
}

TEST(Payload, ReadsMoreThanAChunk) {
  std::mt19937 random(1);
  std::string text;
  for (std::size_t i = 0; i < 3 * kPayloadChunkBytes + 8; ++i) {
    text += static_cast<char>('A' + random() % 26);
  }
  const Sample sample(std::string(kPayloadChunkBytes + 1, 'p'), text, std::string(5000, 's'));
  EXPECT_EQ(read_checked(sample.payload(PayloadEncoding::Raw)), text);
  const Payload decoded = sample.payload(PayloadEncoding::Base64);
  const std::string bytes = read_checked(decoded);
  EXPECT_EQ(bytes.size(), decoded.size_bytes());
  EXPECT_TRUE(same_bytes(decoded, Payload::of_base64_text(text)));
  EXPECT_TRUE(same_bytes(Payload::of_bytes(bytes_of(bytes)), decoded));
  EXPECT_FALSE(same_bytes(sample.payload(PayloadEncoding::Raw), decoded));
}

TEST(Payload, MayBeEmpty) {
  const Sample sample("before", "", "after");
  EXPECT_EQ(read_checked(sample.payload(PayloadEncoding::Base64)), "");
  EXPECT_EQ(read_checked(Payload()), "");
  EXPECT_TRUE(same_bytes(Payload(), sample.payload(PayloadEncoding::Raw)));
}

TEST(Payload, HoldsBytesOfItsOwn) {
  const Payload payload = Payload::of_bytes(bytes_of("abc"));
  const Payload copy = payload;
  EXPECT_EQ(copy.record(), nullptr);
  EXPECT_EQ(as_text(copy.memory()), "abc");
  EXPECT_EQ(copy.memory().data(), payload.memory().data());
  EXPECT_EQ(read_unchecked(copy), "abc");
  EXPECT_FALSE(same_bytes(payload, Payload::of_bytes(bytes_of("abd"))));
}

TEST(BadPayload, ChecksumOfTheRecord) {
  for (const std::size_t damaged : {0u, 7u, 14u}) {  // before, inside, behind the payload
    Sample sample("before", "Zm9vYmE=", "after");
    std::string bytes = "headbeforeZm9vYmE=aftertail";
    bytes[4 + damaged] = 'X';
    sample.file = Sample::source_of(bytes);
    const Payload payload = sample.payload(PayloadEncoding::Base64);
    EXPECT_TRUE(fails_with(ErrorCode::Malformed,
                           "member 'm/x' (19 bytes at byte 4) is damaged",
                           [&] { read_checked(payload); }));
    EXPECT_NO_THROW(read_unchecked(payload));
    RecordSums sums;
    EXPECT_TRUE(
        fails_with(ErrorCode::Malformed, "is damaged", [&] { read_payload(payload, 5, sums); }));
  }
}

TEST(BadPayload, Base64FaultsNameMemberAndByte) {
  const Sample foreign("before", "AAAAAA.A", "");
  EXPECT_TRUE(fails_with(ErrorCode::Malformed,
                         "member 'm/x': a character outside the base64 alphabet at byte 16",
                         [&] { read_unchecked(foreign.payload(PayloadEncoding::Base64)); }));
  const Sample cut("before", "AAAAAA", "");
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "not a multiple of four at byte 14", [&] {
    cut.payload(PayloadEncoding::Base64);
  }));
  const Sample padded("before", "AAAAA===", "");
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "padding that is not at the end at byte 14", [&] {
    padded.payload(PayloadEncoding::Base64);
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "payload: a character outside", [] {
    Payload::of_base64_text("AA,A");
  }));
}

// A record of ten blocks and a bit, in a file that can be changed behind the payload's back.
class PartTest : public testing::Test {
 protected:
  static constexpr std::size_t kBlock = RecordSums::kBlockBytes;

  PartTest() {
    std::mt19937 random(2);
    for (std::size_t i = 0; i < 10 * kBlock + 100; ++i)
      content_ += static_cast<char>(random() % 256);
    write(content_);
    record_ = {"m/x", 7, content_.size(), crc32(0, as_bytes(content_))};
    source_ = ByteSource::of_file(InputFile::open(folder_.file("f")));
    whole_ = Payload::of_range(source_, record_, 7, content_.size(), PayloadEncoding::Raw);
  }

  void write(const std::string& content) const {
    test::write_file(folder_.file("f"), "headers" + content + "tail");
  }

  test::ScratchFolder folder_;
  std::string content_;
  FileRecord record_;
  ByteSource::Handle source_;
  Payload whole_;
};

TEST_F(PartTest, ReadsWhateverItCovers) {
  RecordSums sums;
  const std::size_t sizes[] = {0, 1, 99, kBlock - 1, kBlock, kBlock + 1, 3 * kBlock};
  for (const std::size_t begin :
       {std::size_t{0}, std::size_t{1}, kBlock - 1, kBlock, 7 * kBlock + 1}) {
    for (const std::size_t size : sizes) {
      const Payload part = whole_.part(begin, size, "x").part(0, size, "x");
      PayloadReader reader(part, sums);
      EXPECT_EQ(drain(reader), content_.substr(begin, size)) << begin << ' ' << size;
    }
  }
  PayloadReader reader(whole_.part(1, content_.size() - 1, "x"), sums);
  EXPECT_EQ(drain(reader), content_.substr(1));
}

TEST_F(PartTest, IsReadThroughItsRecordOnlyOnce) {
  RecordSums sums;
  const std::vector<std::uint32_t>* blocks = &sums.blocks_of(whole_);
  EXPECT_EQ(blocks->size(), 11u);
  EXPECT_EQ(&sums.blocks_of(whole_.part(5, 6, "x")), blocks);
  EXPECT_EQ(blocks->at(10), crc32(0, as_bytes(content_).last(100)));
}

TEST_F(PartTest, bad_RecordIsDamaged) {
  std::string damaged = content_;
  damaged.back() ^= 1;  // outside of the part, but only the record has a checksum
  write(damaged);
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "member 'm/x'", [&] { read_checked(whole_.part(0, 3, "x")); }));
}

TEST_F(PartTest, bad_ChangesAfterItsRecordWasChecked) {
  RecordSums sums;
  const Payload part = whole_.part(2 * kBlock + 5, 10, "x");
  EXPECT_NO_THROW(read_payload(part, 10, sums));
  std::string changed = content_;
  changed[2 * kBlock + 6] ^= 1;
  write(changed);
  EXPECT_TRUE(fails_with(ErrorCode::Io, "member 'm/x'", [&] { read_payload(part, 10, sums); }));
  EXPECT_NO_THROW(read_payload(whole_.part(0, 10, "x"), 10, sums));
}

TEST_F(PartTest, bad_IsLongerThanThePayload) {
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "weight: 2 bytes at byte 9 are past the end", [&] {
    whole_.part(10, 10, "w").part(9, 2, "weight");
  }));
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "past the end", [&] { whole_.part(~std::uint64_t{0}, 2, "weight"); }));
}

TEST(Payload, PartsOfMemoryShareIt) {
  const Payload whole = Payload::of_bytes(bytes_of("abcdef"));
  const Payload part = whole.part(2, 3, "x");
  EXPECT_EQ(as_text(part.memory()), "cde");
  EXPECT_EQ(part.memory().data(), whole.memory().data() + 2);
  EXPECT_EQ(Payload::of_size(9).part(2, 3, "x").size_bytes(), 3u);
}

TEST(Payload, ReadsBorrowedMemoryUntilTheLastCopyIsGone) {
  const std::string lent = "lent bytes";
  int released = 0;
  {
    Payload part;
    {
      const Payload whole = Payload::of_foreign(as_bytes(lent), [&] { ++released; });
      EXPECT_EQ(whole.memory().data(), as_bytes(lent).data());
      part = whole.part(5, 5, "x");
    }
    EXPECT_EQ(released, 0);
    EXPECT_EQ(read_checked(part), "bytes");
  }
  EXPECT_EQ(released, 1);
}

TEST(Payload, KeepsItsFileOpen) {
  const test::ScratchFolder folder;
  test::write_file(folder.file("f"), "some text");
  Payload payload;
  {
    const ByteSource::Handle file = ByteSource::of_file(InputFile::open(folder.file("f")));
    const FileRecord record{"m/x", 5, 4, crc32(0, as_bytes("text"))};
    payload = Payload::of_range(file, record, 5, 4, PayloadEncoding::Raw);
  }
  std::filesystem::remove(folder.file("f"));
  EXPECT_EQ(read_checked(payload), "text");
}

TEST(BadPayload, OnlyItsSizeIsKnown) {
  EXPECT_TRUE(fails_with(
      ErrorCode::Internal, "only the size is known", [] { read_unchecked(Payload::of_size(3)); }));
}

TEST(BadPayload, LeavesItsRecordOrPassesTheLimit) {
  const Sample sample("before", "text", "after");
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "do not lie within member 'm/x'", [&] {
    Payload::of_range(sample.file, sample.record, 3, 2, PayloadEncoding::Raw);
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "do not lie within", [&] {
    Payload::of_range(sample.file, sample.record, 5, ~std::uint64_t{0}, PayloadEncoding::Raw);
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Limit, "payload has 4 bytes, at most 3", [&] {
    read_payload(sample.payload(PayloadEncoding::Raw), 3);
  }));
}

}  // namespace
}  // namespace ptec
