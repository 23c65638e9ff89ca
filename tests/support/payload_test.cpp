#include "support/payload.h"

#include <gtest/gtest.h>

#include <random>

#include "support/crc32.h"
#include "support/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/zip_builder.h"

namespace ptec {
namespace {

using test::bytes_of;
using test::fails_with;

// A file with a record inside, and a payload inside the record.
struct Sample {
  Sample(const std::string& prefix, const std::string& text, const std::string& suffix)
      : file(InputFile::from_bytes("f", bytes_of("head" + prefix + text + suffix + "tail"))),
        record{"m/x",
               4,
               prefix.size() + text.size() + suffix.size(),
               crc32(0, as_bytes(prefix + text + suffix))},
        offset(4 + prefix.size()),
        size(text.size()) {}
  Payload payload(PayloadEncoding encoding) const {
    return Payload::of_range(file, record, offset, size, encoding);
  }
  InputFile file;
  FileRecord record;
  std::uint64_t offset;
  std::uint64_t size;
};

std::string read_all(const Payload& payload, PayloadReader::Check check) {
  PayloadReader reader(payload, check);
  std::string out;
  for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) out += as_text(chunk);
  EXPECT_TRUE(reader.next().empty());
  return out;
}

constexpr auto kNone = PayloadReader::Check::None;
constexpr auto kWhole = PayloadReader::Check::WholeRecord;

TEST(Payload, ReadsRawAndBase64Ranges) {
  const Sample sample("before", "Zm9vYmE=", "after");
  EXPECT_EQ(read_all(sample.payload(PayloadEncoding::Raw), kWhole), "Zm9vYmE=");
  const Payload decoded = sample.payload(PayloadEncoding::Base64);
  EXPECT_EQ(decoded.size_bytes(), 5u);
  EXPECT_EQ(read_all(decoded, kNone), "fooba");
  EXPECT_EQ(read_all(decoded, kWhole), "fooba");
  EXPECT_EQ(read_payload(decoded, 5), bytes_of("fooba"));
  verify_record_crc(sample.file, sample.record);
}

TEST(Payload, ReadsMoreThanAChunk) {
  std::mt19937 random(1);
  std::string text;
  for (std::size_t i = 0; i < 3 * kPayloadChunkBytes + 8; ++i) {
    text += static_cast<char>('A' + random() % 26);
  }
  const Sample sample(std::string(kPayloadChunkBytes + 1, 'p'), text, std::string(5000, 's'));
  EXPECT_EQ(read_all(sample.payload(PayloadEncoding::Raw), kWhole), text);
  const Payload decoded = sample.payload(PayloadEncoding::Base64);
  const std::string bytes = read_all(decoded, kWhole);
  EXPECT_EQ(bytes.size(), decoded.size_bytes());
  EXPECT_TRUE(same_bytes(decoded, Payload::of_base64_text(text)));
  EXPECT_TRUE(same_bytes(Payload::of_bytes(bytes_of(bytes)), decoded));
  EXPECT_FALSE(same_bytes(sample.payload(PayloadEncoding::Raw), decoded));
}

TEST(Payload, MayBeEmpty) {
  const Sample sample("before", "", "after");
  EXPECT_EQ(read_all(sample.payload(PayloadEncoding::Base64), kWhole), "");
  EXPECT_EQ(read_all(Payload(), kWhole), "");
  EXPECT_TRUE(same_bytes(Payload(), sample.payload(PayloadEncoding::Raw)));
}

TEST(Payload, HoldsBytesOfItsOwn) {
  const Payload payload = Payload::of_bytes(bytes_of("abc"));
  const Payload copy = payload;
  EXPECT_FALSE(copy.is_range());
  EXPECT_EQ(as_text(copy.memory()), "abc");
  EXPECT_EQ(copy.memory().data(), payload.memory().data());
  EXPECT_EQ(read_all(copy, kNone), "abc");
  EXPECT_FALSE(same_bytes(payload, Payload::of_bytes(bytes_of("abd"))));
}

TEST(BadPayload, ChecksumOfTheRecord) {
  for (const std::size_t damaged : {0u, 7u, 14u}) {  // before, inside, behind the payload
    Sample sample("before", "Zm9vYmE=", "after");
    std::string bytes = "headbeforeZm9vYmE=aftertail";
    bytes[4 + damaged] = 'X';
    sample.file = InputFile::from_bytes("f", bytes_of(bytes));
    const Payload payload = sample.payload(PayloadEncoding::Base64);
    EXPECT_TRUE(fails_with(ErrorCode::Malformed,
                           "member 'm/x' (19 bytes at byte 4) is damaged",
                           [&] { read_all(payload, kWhole); }));
    EXPECT_NO_THROW(read_all(payload, kNone));
    EXPECT_TRUE(fails_with(ErrorCode::Malformed, "is damaged", [&] {
      verify_record_crc(sample.file, sample.record);
    }));
  }
}

TEST(BadPayload, Base64FaultsNameMemberAndByte) {
  const Sample foreign("before", "AAAAAA.A", "");
  EXPECT_TRUE(fails_with(ErrorCode::Malformed,
                         "member 'm/x': a character outside the base64 alphabet at byte 16",
                         [&] { read_all(foreign.payload(PayloadEncoding::Base64), kNone); }));
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
