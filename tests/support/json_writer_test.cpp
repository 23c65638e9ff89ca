#include "support/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/error.h"

namespace ptec {
namespace {

TEST(JsonWriter, IndentsAndKeepsTheOrder) {
  JsonWriter json;
  json.begin_object();
  json.text("b", "x\"y\n\xc3\xa9");
  json.key("a");
  json.begin_array();
  json.number(-1);
  json.count(std::numeric_limits<std::uint64_t>::max());
  json.real(0.5);
  json.real(std::numeric_limits<double>::infinity());
  json.boolean(true);
  json.null();
  json.end_array();
  json.key("empty");
  json.begin_object();
  json.end_object();
  json.end_object();
  EXPECT_EQ(json.finish(), R"({
  "b": "x\"y\n\u00e9",
  "a": [
    -1,
    18446744073709551615,
    0.5,
    "Infinity",
    true,
    null
  ],
  "empty": {}
})");
}

TEST(JsonWriter, bad_UsesAreOurBugs) {
  const auto code_of = [](auto&& use) {
    JsonWriter json;
    try {
      use(json);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::Io;
  };
  EXPECT_EQ(code_of([](JsonWriter& json) { json.end_object(); }), ErrorCode::Internal);
  EXPECT_EQ(code_of([](JsonWriter& json) { json.begin_object(), json.null(); }),
            ErrorCode::Internal);
  EXPECT_EQ(code_of([](JsonWriter& json) { json.begin_array(), json.key("a"); }),
            ErrorCode::Internal);
  EXPECT_EQ(code_of([](JsonWriter& json) { json.begin_array(), json.finish(); }),
            ErrorCode::Internal);
}

}  // namespace
}  // namespace ptec
