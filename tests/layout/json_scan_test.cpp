#include "layout/json_scan.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <vector>

namespace ptec {
namespace {

JsonFault fault_of(std::string_view json) {
  JsonScanner scan(json);
  if (scan.skip_value() && !scan.at_end()) return JsonFault::Syntax;
  return scan.fault();
}

std::string decoded(const JsonText& text) {
  std::string out(text.size_bytes(), '?');
  text.copy_to(out.data());
  return out;
}

const std::vector<std::string_view> kGood = {
    R"({})",
    R"([])",
    R"( { "a" : [ 1 , -0 , 0.5 , 1e9 , -2E-7 , 10.25e+3 ] , "b" : { } } )",
    R"("")",
    R"("\"\\\/\b\f\n\r\t\u0041\uD83D\ude00 é 😀")",
    R"([true,false,null,[[[["x"]]]],{"a":{"a":{"a":[]}}}])",
    "\t\r\n 0",
};

const std::vector<std::string_view> kBad = {"",
                                            " ",
                                            "{",
                                            "[",
                                            "]",
                                            "{]",
                                            "[}",
                                            "[1,]",
                                            "[,1]",
                                            "[1 2]",
                                            "{\"a\"}",
                                            "{\"a\":}",
                                            "{\"a\":1,}",
                                            "{a:1}",
                                            "{1:2}",
                                            "{,}",
                                            "tru",
                                            "nul",
                                            "True",
                                            "truefalse",
                                            "01",
                                            "-",
                                            "1.",
                                            ".5",
                                            "1e",
                                            "1e+",
                                            "+1",
                                            "0x1",
                                            "NaN",
                                            "'a'",
                                            "\"",
                                            "\"a",
                                            "\"\\\"",
                                            "\"\\x\"",
                                            "\"\\u12\"",
                                            "\"\\u12g4\"",
                                            "\"\\uD800\"",
                                            "\"\\uDC00\"",
                                            "\"\\uD800\\u0041\"",
                                            "\"\t\"",
                                            "\"\n\"",
                                            "\"\x80\"",
                                            "\"\xC0\x80\"",
                                            "\"\xED\xA0\x80\"",
                                            "\"\xF4\x90\x80\x80\"",
                                            "\"\xE2\x82\"",
                                            "\"\xF5\x80\x80\x80\"",
                                            "[1]x",
                                            "[1] [2]",
                                            "{} ,",
                                            "\xEF\xBB\xBF{}"};

TEST(JsonScanner, TakesJsonAndNothingElse) {
  for (const std::string_view json : kGood) EXPECT_EQ(fault_of(json), JsonFault::None) << json;
  for (const std::string_view json : kBad) EXPECT_NE(fault_of(json), JsonFault::None) << json;
}

TEST(JsonScanner, AgreesWithAnotherReaderOnEveryChangeOfAByte) {
  const std::string good = R"({"a":[1,-2.5e3,"\u00e9\n",true,null],"bé":{"c":[]}} )";
  simdjson::dom::parser parser;
  std::size_t accepted = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string json = good;
      json[at] = static_cast<char>(value);
      const bool mine = fault_of(json) == JsonFault::None;
      simdjson::dom::element ignored;
      // That one takes a zero byte for the end of an atom, and reads over a string's escapes.
      const bool theirs = parser.parse(json).get(ignored) == simdjson::SUCCESS;
      EXPECT_EQ(mine, theirs) << json << " (byte " << at << " is " << value << ")";
      accepted += mine ? 1 : 0;
    }
  }
  EXPECT_GT(accepted, good.size());
}

TEST(JsonScanner, bad_EveryPrefix) {
  const std::string_view good = R"({"a":[1,"\u00e9\n",true,null],"b":{"c":[]}})";
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_EQ(fault_of(good.substr(0, size)), JsonFault::Syntax) << size;
}

TEST(JsonScanner, SaysWhereTheFaultIs) {
  JsonScanner scan(R"({"a": [1, x]})");
  EXPECT_FALSE(scan.skip_value());
  EXPECT_EQ(scan.offset_bytes(), 10u);
}

TEST(JsonScanner, CountsLevelsInsteadOfUsingTheStack) {
  const auto nested = [](std::size_t depth) {
    std::string json;
    for (std::size_t i = 0; i < depth; ++i) json += i % 2 == 0 ? "[" : "{\"a\":";
    json += "0";
    for (std::size_t i = depth; i-- > 0;) json += i % 2 == 0 ? "]" : "}";
    return json;
  };
  EXPECT_EQ(fault_of(nested(JsonScanner::kMaxDepth)), JsonFault::None);
  EXPECT_EQ(fault_of(nested(JsonScanner::kMaxDepth + 1)), JsonFault::TooDeep);
  EXPECT_EQ(fault_of(std::string(1'000'000, '[')), JsonFault::TooDeep);
}

TEST(JsonScanner, ReadsIntegersUpToTheirLimits) {
  const auto read = [](std::string_view json, std::int64_t& out) {
    JsonScanner scan(json);
    scan.integer(out);
    return scan.fault();
  };
  std::int64_t out = 1;
  EXPECT_EQ(read("-0", out), JsonFault::None);
  EXPECT_EQ(out, 0);
  EXPECT_EQ(read("9223372036854775807", out), JsonFault::None);
  EXPECT_EQ(out, std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(read("-9223372036854775808", out), JsonFault::None);
  EXPECT_EQ(out, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(read("9223372036854775808", out), JsonFault::OutOfRange);
  EXPECT_EQ(read("-9223372036854775809", out), JsonFault::OutOfRange);
  EXPECT_EQ(read("100000000000000000000000000", out), JsonFault::OutOfRange);
  EXPECT_EQ(read("1.0", out), JsonFault::Syntax);
  EXPECT_EQ(read("1e2", out), JsonFault::Syntax);
}

TEST(JsonText, DecodesToUtf8WithoutMemory) {
  const std::string_view json = R"("\u0041\u00e9\u20AC\uD83D\uDE00\b\f\n\r\t\"\\\/ é")";
  JsonScanner scan(json);
  JsonText text;
  ASSERT_TRUE(scan.text(text));
  EXPECT_EQ(decoded(text), "Aé€😀\b\f\n\r\t\"\\/ é");
  EXPECT_EQ(text.raw(), json.substr(1, json.size() - 2));
  EXPECT_FALSE(text.has_zero());
}

TEST(JsonText, ComparesWhatItStandsFor) {
  const auto text_of = [](std::string_view json) {
    JsonScanner scan(json);
    JsonText text;
    EXPECT_TRUE(scan.text(text)) << json;
    return text;
  };
  EXPECT_EQ(text_of(R"("\u0061b")").compare(text_of(R"("ab")")), 0);
  EXPECT_LT(text_of(R"("a\u0062")").compare(text_of(R"("ac")")), 0);
  EXPECT_GT(text_of(R"("é")").compare(text_of(R"("\u007a")")), 0);  // bytes count, not signs
  EXPECT_LT(text_of(R"("a")").compare(text_of(R"("\u0061b")")), 0);
  EXPECT_TRUE(text_of(R"("n\u0061me")") == "name");
  EXPECT_TRUE(text_of(R"("")") != "name");
  EXPECT_TRUE(text_of(R"("a\u0000b")").has_zero());
}

}  // namespace
}  // namespace ptec
