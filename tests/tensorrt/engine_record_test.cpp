#include "tensorrt/engine_record.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "ptec/error.h"

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
  EXPECT_EQ(record.aliased_io[0].output, "out");
  EXPECT_EQ(record.aliased_io[0].input, "b");
  EXPECT_EQ(record.aliased_io[0].kind, AliasKind::KvCacheUpdate);
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
