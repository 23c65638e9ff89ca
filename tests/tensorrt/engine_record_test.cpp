#include "tensorrt/engine_record.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "ptec/error.h"
#include "support/limits.h"

namespace ptec::tensorrt {
namespace {

archive::EngineObject record_of(std::vector<std::string> fields) {
  archive::EngineObject object;
  object.fields = std::move(fields);
  object.engine = Payload::of_bytes(std::vector<std::byte>(20, std::byte{7}));
  return object;
}

std::vector<std::string> good_fields() {
  return {"10",
          "_run_on_acc_0_engine",
          "0%8%0%0%NVIDIA A100",
          "",
          "a%b",
          "out",
          "1",
          "gASV",
          "linux_x86_64",
          "0",
          "1",
          "0",
          ""};
}

void expect_error(const std::vector<std::string>& fields, ErrorCode code, std::string_view text) {
  try {
    parse_engine_record(record_of(fields));
    FAIL() << "wanted: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string_view(error.what()).find(text), std::string_view::npos) << error.what();
  }
}

TEST(EngineRecord, ReadsEveryField) {
  std::vector<std::string> fields = good_fields();
  fields[12] = "out@b@kv_cache_update";
  const EngineRecord record = parse_engine_record(record_of(fields));
  EXPECT_EQ(record.abi_version, 10);
  EXPECT_EQ(record.name, "_run_on_acc_0_engine");
  EXPECT_EQ(record.device.id, 0);
  EXPECT_EQ(record.device.major, 8);
  EXPECT_EQ(record.device.name, "NVIDIA A100");
  EXPECT_EQ(record.input_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(record.output_names, std::vector<std::string>{"out"});
  EXPECT_TRUE(record.hardware_compatible);
  EXPECT_EQ(record.metadata, "gASV");
  EXPECT_EQ(record.target_platform, "linux_x86_64");
  EXPECT_TRUE(record.dynamic_resource_allocation);
  ASSERT_EQ(record.aliased_io.size(), 1u);
  EXPECT_EQ(record.aliased_io[0].output, 0u);
  EXPECT_EQ(record.aliased_io[0].input, 1u);
  EXPECT_EQ(record.aliased_io[0].kind, AliasKind::KvCacheUpdate);
}

TEST(EngineRecord, FindsTheAliasOfEachOutput) {
  std::vector<std::string> fields = good_fields();
  fields[5] = "p%q%r";
  fields[12] = "r@a@user%p@b@kv_cache_update";
  const EngineRecord record = parse_engine_record(record_of(fields));
  const std::vector<const EngineAlias*> aliases = record.aliases_by_output();
  ASSERT_EQ(aliases.size(), 3u);
  EXPECT_EQ(aliases[0], &record.aliased_io[1]);
  EXPECT_EQ(aliases[1], nullptr);
  EXPECT_EQ(aliases[2], &record.aliased_io[0]);
}

/// `count` names or aliases in a field. The numbers come in no order.
std::string many(std::size_t count, const std::function<std::string(std::size_t)>& entry) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : "%") + entry(i * 7919 % count);
  return text;
}

TEST(EngineRecord, ReadsAsManyBindingsAsTheLimitAllows) {
  // Comparing every name with every other would take hours.
  const std::size_t count = kMaxEngineBindings;
  std::vector<std::string> fields = good_fields();
  fields[4] = many(count, [](std::size_t i) { return "i" + std::to_string(i); });
  fields[5] = many(count, [](std::size_t i) { return "o" + std::to_string(i); });
  fields[12] = many(count, [count](std::size_t i) {
    return "o" + std::to_string(i) + "@i" + std::to_string(count - 1 - i) + "@user";
  });
  const EngineRecord record = parse_engine_record(record_of(fields));
  EXPECT_EQ(record.input_names.size(), count);
  EXPECT_EQ(record.output_names.size(), count);
  ASSERT_EQ(record.aliased_io.size(), count);
  for (const EngineAlias& alias : record.aliased_io) {
    const std::size_t number = std::stoul(record.output_names[alias.output].substr(1));
    ASSERT_EQ(record.input_names[alias.input], "i" + std::to_string(count - 1 - number));
  }
}

TEST(EngineRecord, bad_MoreBindingsThanTheLimitAllows) {
  const auto name = [](std::size_t i) { return "n" + std::to_string(i); };
  for (const std::size_t field : {4u, 5u, 12u}) {
    std::vector<std::string> fields = good_fields();
    fields[field] = many(kMaxEngineBindings + 1, name);
    expect_error(fields, ErrorCode::Limit, "has 262145 entries; ptec takes 262144");
  }
}

TEST(EngineRecord, bad_ALongTextIsNotPrintedWhole) {
  std::vector<std::string> fields = good_fields();
  fields[4] = std::string(5000, 'a') + '%' + std::string(5000, 'a');
  const std::string start(80, 'a');
  expect_error(fields, ErrorCode::Malformed, "wanted '" + start + "'… only once, found '" + start);
}

TEST(EngineRecord, ReadsOlderAbisByTheirLengths) {
  for (const auto& [abi, count] :
       std::vector<std::pair<std::string, std::size_t>>{{"7", 10}, {"8", 11}, {"9", 12}}) {
    std::vector<std::string> fields = good_fields();
    fields[0] = abi;
    fields.resize(count);
    EXPECT_EQ(std::to_string(parse_engine_record(record_of(fields)).abi_version), abi);
  }
}

TEST(EngineRecord, GivesPlatformsOneSpelling) {
  std::vector<std::string> fields = good_fields();
  fields[8] = "win_x86_64";
  EXPECT_EQ(parse_engine_record(record_of(fields)).target_platform, "windows_x86_64");
}

TEST(EngineRecord, bad_AbiAndLengthNameBothNumbers) {
  std::vector<std::string> fields = good_fields();
  fields[0] = "99";
  expect_error(fields, ErrorCode::Unsupported, "ABI version 99; this ptec reads 7 to 10");
  fields = good_fields();
  fields[0] = "x";
  expect_error(fields, ErrorCode::Malformed, "wanted a number, found 'x'");
  fields = good_fields();
  fields.resize(9);
  expect_error(
      fields, ErrorCode::Malformed, "has 9 fields; ABI version 10 (Torch-TensorRT 2.14) has 13");
  expect_error({}, ErrorCode::Malformed, "engine record is empty");
}

TEST(EngineRecord, bad_FieldsAreNamedWithIndexWantedAndFound) {
  struct Case {
    std::size_t field;
    std::string value;
    std::string_view text;
  };
  const std::vector<Case> cases = {
      {2, "0%8%0%NVIDIA", "field 2 (device): wanted id%major%minor%type%name"},
      {2, "0%8%0%0%NVIDIA%A100", "field 2 (device): wanted id%major%minor%type%name"},
      {2, "-1%8%0%0%GPU", "device id from 0 to 127"},
      {2, "0%8%x%0%GPU", "four numbers, found '0%8%x%0%GPU'"},
      {2, "0%8%0%3%GPU", "type 0 (GPU) or 1 (DLA)"},
      {4, "a%%b", "field 4 (input binding names): wanted names without an empty one"},
      {4, "a%a", "wanted 'a' only once"},
      {5, "", "field 5 (output binding names): wanted at least one name"},
      {5, "a", "names that no input has"},
      {6, "2", "field 6 (hardware compatible): wanted 0 or 1, found '2'"},
      {8, "linux", "field 8 (target platform)"},
      {9, "yes", "field 9 (requires output allocator)"},
      {10, "", "field 10 (resource allocation)"},
      {11, "-0", "field 11 (multi-device)"},
      {12, "out@b", "wanted output@input@kind"},
      {12, "out@b@user@", "wanted output@input@kind"},
      {12, "out@b@user%", "wanted output@input@kind"},
      {12, "out@b@other", "kind kv_cache_update or user"},
      {12, "nope@b@user", "the name of an output"},
      {12, "out@nope@user", "the name of an input"},
      {12, "out@a@user%out@b@user", "each output once"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> fields = good_fields();
    fields[c.field] = c.value;
    expect_error(fields, ErrorCode::Malformed, c.text);
  }
}

TEST(EngineRecord, bad_EmptyEngine) {
  archive::EngineObject object = record_of(good_fields());
  object.engine = Payload::of_bytes({});
  try {
    parse_engine_record(object);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find("field 3 (engine)"), std::string_view::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ptec::tensorrt
