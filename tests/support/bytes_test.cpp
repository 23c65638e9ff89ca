#include "support/bytes.h"

#include <gtest/gtest.h>

#include <limits>

#include "layout/zip.h"
#include "support/byte_reader.h"
#include "support/crc32.h"
#include "support/printable.h"
#include "tests/support/expect_error.h"

namespace ptec {
namespace {

using test::fails_with;

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

TEST(Bytes, SumsAndProductsThatWrapAreNothing) {
  EXPECT_EQ(checked_add(2, 3), 5u);
  EXPECT_EQ(checked_add(kMax, 0), kMax);
  EXPECT_EQ(checked_add(kMax, 1), std::nullopt);
  EXPECT_EQ(checked_mul(0, kMax), 0u);
  EXPECT_EQ(checked_mul(kMax, 0), 0u);
  EXPECT_EQ(checked_mul(1ull << 32, (1ull << 32) - 1), kMax - ((1ull << 32) - 1));
  EXPECT_EQ(checked_mul(1ull << 32, 1ull << 32), std::nullopt);
  EXPECT_EQ(round_up(0, 16), 0u);
  EXPECT_EQ(round_up(17, 16), 32u);
}

TEST(Bytes, SliceStaysInside) {
  const Bytes bytes = as_bytes("abcdef");
  EXPECT_EQ(as_text(slice(bytes, 2, 3, "x")), "cde");
  EXPECT_EQ(as_text(slice(bytes, 6, 0, "x")), "");
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "x: 1 bytes at offset 6 do not lie within 6", [&] {
    slice(bytes, 6, 1, "x");
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "offset 1", [&] { slice(bytes, 1, kMax, "x"); }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "3 bytes", [&] { slice(bytes, kMax, 3, "x"); }));
}

TEST(ByteReader, ReadsFieldsInOrder) {
  ByteReader reader(as_bytes(std::string_view("\x01\x02\x03\x04\x05\x06rest", 10)), 100);
  EXPECT_EQ(reader.le<std::uint16_t>("a"), 0x0201u);
  EXPECT_EQ(reader.record<le32>("b"), 0x06050403u);
  EXPECT_EQ(reader.offset_bytes(), 106u);
  EXPECT_EQ(reader.count(2, 2, "c"), 2u);
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "c at byte 106 claims 3 items of at least 2", [&] {
    reader.count(3, 2, "c");
  }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "claims", [&] { reader.count(kMax, 8, "c"); }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "d at byte 106 needs 5 bytes, 4 are left", [&] {
    reader.take(5, "d");
  }));
  EXPECT_EQ(as_text(reader.take(4, "d")), "rest");
}

TEST(LittleEndian, HasTheBytesOfItsNumber) {
  const le32 number = 0x04030201u;
  EXPECT_EQ(as_text(std::as_bytes(std::span(&number, 1))), "\x01\x02\x03\x04");
  EXPECT_EQ(le64(kMax - 1), kMax - 1);
}

// The check value of the catalogue of CRC algorithms for CRC-32/ISO-HDLC.
TEST(Crc32, HasTheCheckValue) {
  EXPECT_EQ(crc32(0, as_bytes("123456789")), 0xCBF43926u);
  EXPECT_EQ(crc32(crc32(0, as_bytes("1234")), as_bytes("56789")), 0xCBF43926u);
  EXPECT_EQ(crc32(7, {}), 7u);
}

TEST(Printable, IsOneShortLine) {
  EXPECT_EQ(printable("a b"), "a b");
  EXPECT_EQ(printable("a\n\xFF\x7F"), "a\\x0a\\xff\\x7f");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
}

TEST(Printable, KeepsOtherScriptsAndCutsBetweenCharacters) {
  EXPECT_EQ(printable("größe 層 😀"), "größe 層 😀");
  EXPECT_EQ(printable("größe", 3), "gr...");
  EXPECT_EQ(printable("größe", 4), "grö...");
  EXPECT_EQ(printable("größ", 6), "größ");
}

// A control character in two bytes (U+009B), a character that is cut, bytes that begin none.
TEST(Printable, EscapesWhatATerminalCouldObey) {
  EXPECT_EQ(printable("a\xC2\x9B\x1B[31m"), "a\\xc2\\x9b\\x1b[31m");
  EXPECT_EQ(printable("\xC3"), "\\xc3");
  EXPECT_EQ(printable("\xE5\xB1 \x80\xFF"), "\\xe5\\xb1 \\x80\\xff");
}

}  // namespace
}  // namespace ptec
