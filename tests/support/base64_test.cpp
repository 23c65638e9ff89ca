#include "support/base64.h"

#include <gtest/gtest.h>

#include <cctype>
#include <random>

#include "support/error.h"
#include "tests/support/expect_error.h"

namespace ptec {
namespace {

using test::fails_with;

// A plain encoder, for texts to decode.
std::string encode(const std::string& bytes) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t at = i + j;
      bits = bits << 8 | (at < bytes.size() ? static_cast<std::uint8_t>(bytes[at]) : 0u);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += i + j > bytes.size() ? '=' : kAlphabet[(bits >> (18 - 6 * j)) & 63];
    }
  }
  return out;
}

std::string random_bytes(std::mt19937& random, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) out += static_cast<char>(random() & 0xFF);
  return out;
}

std::string decode(std::string_view text) {
  return std::string(as_text(decode_base64(text, "text")));
}

// The whole text in chunks of random sizes; the fault's place and the bytes before it.
std::pair<std::string, Base64Decoder::Step> decode_in_chunks(const std::string& text,
                                                             std::mt19937& random,
                                                             std::size_t max_chunk) {
  Base64Decoder decoder;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = std::min<std::size_t>(text.size() - at, random() % max_chunk + 1);
    std::vector<std::byte> room(Base64Decoder::room(size));
    const Base64Decoder::Step step =
        decoder.feed(as_bytes(std::string_view(text).substr(at, size)), room.data());
    out += as_text(Bytes(room).first(step.written));
    if (step.fault != Base64Fault::None) return {out, step};
    at += size;
  }
  return {out, decoder.finish()};
}

TEST(Base64, DecodesTheVectorsOfRfc4648) {
  EXPECT_EQ(decode(""), "");
  EXPECT_EQ(decode("Zg=="), "f");
  EXPECT_EQ(decode("Zm8="), "fo");
  EXPECT_EQ(decode("Zm9v"), "foo");
  EXPECT_EQ(decode("Zm9vYg=="), "foob");
  EXPECT_EQ(decode("Zm9vYmE="), "fooba");
  EXPECT_EQ(decode("Zm9vYmFy"), "foobar");
  EXPECT_EQ(decode("+/+/"), "\xFB\xFF\xBF");
}

TEST(Base64, DecodesAllSizesInAllChunks) {
  std::mt19937 random(1);
  for (std::size_t size = 0; size < 300; ++size) {
    const std::string bytes = random_bytes(random, size);
    const std::string text = encode(bytes);
    EXPECT_EQ(decode(text), bytes);
    const auto [got, last] = decode_in_chunks(text, random, size % 70 + 1);
    EXPECT_EQ(last.fault, Base64Fault::None);
    EXPECT_EQ(got, bytes);
    Base64Fault fault = Base64Fault::None;
    const std::string_view end = std::string_view(text).substr(text.empty() ? 0 : text.size() - 4);
    EXPECT_EQ(base64_decoded_size(text.size(), as_bytes(end), &fault), size);
    EXPECT_EQ(fault, Base64Fault::None);
  }
}

TEST(Base64, FindsAForeignCharacterAtEveryPlace) {
  std::mt19937 random(2);
  const std::string text = encode(random_bytes(random, 120));
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (int c = 0; c < 256; ++c) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(c);
      const bool is_known = std::isalnum(c) != 0 || c == '+' || c == '/';
      const auto [got, last] = decode_in_chunks(damaged, random, 200);
      if (is_known) {
        EXPECT_EQ(last.fault, Base64Fault::None);
      } else if (c == '=') {
        // At the very end it can be right: "AAA=" ends a text whose last bits are zero.
        if (at + 1 != text.size()) {
          EXPECT_NE(last.fault, Base64Fault::None) << at;
        }
      } else {
        EXPECT_EQ(last.fault, Base64Fault::Character);
        EXPECT_EQ(last.fault_index, at);
      }
    }
  }
}

TEST(Base64, FastAndPlainLoopsAgree) {
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = encode(random_bytes(random, random() % 200));
    // Most of the time a few characters are replaced by anything.
    for (std::size_t n = random() % 3; n > 0 && !text.empty(); --n) {
      text[random() % text.size()] = static_cast<char>(random() & 0xFF);
    }
    const auto* in = static_cast<const std::uint8_t*>(static_cast<const void*>(text.data()));
    const std::size_t groups = text.size() / 4;
    std::vector<std::byte> fast(groups * 3);
    std::vector<std::byte> plain(groups * 3);
    const std::size_t fast_done = decode_base64_groups(in, groups, fast.data());
    const std::size_t plain_done = decode_base64_groups_scalar(in, groups, plain.data());
    ASSERT_EQ(fast_done, plain_done);
    fast.resize(fast_done * 3);
    plain.resize(plain_done * 3);
    ASSERT_EQ(fast, plain);
  }
}

TEST(BadBase64, SaysWhatAndWhere) {
  const std::pair<const char*, const char*> cases[] = {
      {"A", "length is not a multiple of four at character 0"},
      {"AAAAAA", "length is not a multiple of four at character 4"},
      {"AAAA\nAAA", "outside the base64 alphabet at character 4"},
      {"AA A", "outside the base64 alphabet at character 2"},
      {"AA-_", "outside the base64 alphabet at character 2"},
      {"AA=A", "padding that is not at the end at character 3"},
      {"A===", "padding that is not at the end at character 1"},
      {"====", "padding that is not at the end at character 0"},
      {"AA==AAAA", "padding that is not at the end at character 4"},
      {"AA==AA==", "padding that is not at the end at character 4"},
      {"AA==A", "padding that is not at the end at character 4"},
      {"AB==", "dropped bits are not zero at character 1"},
      {"AAB=", "dropped bits are not zero at character 2"},
  };
  for (const auto& each : cases) {
    EXPECT_TRUE(fails_with(ErrorCode::Malformed, each.second, [&] { decode(each.first); }))
        << each.first;
  }
}

TEST(BadBase64, SizeOfATextWithABadEnd) {
  Base64Fault fault = Base64Fault::None;
  base64_decoded_size(5, as_bytes("AAAA"), &fault);
  EXPECT_EQ(fault, Base64Fault::Length);
  for (const std::string_view end : {"A===", "=AAA", "AA=A", "===="}) {
    base64_decoded_size(8, as_bytes(end), &fault);
    EXPECT_EQ(fault, Base64Fault::Padding) << end;
  }
}

}  // namespace
}  // namespace ptec
