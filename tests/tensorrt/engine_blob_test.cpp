#include "tensorrt/engine_blob.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "support/bytes.h"

namespace ptec::tensorrt {
namespace {

EngineRecord small_record() {
  EngineRecord record;
  record.device.id = 2;
  record.engine = Payload::of_bytes(std::vector<std::byte>(5, std::byte{0xAB}));
  record.input_names = {"x", "y"};
  record.output_names = {"out"};
  record.metadata = "gASV";
  record.target_platform = "linux_x86_64";
  return record;
}

TEST(EngineBlob, WritesTheKeysInTheFormatsOrder) {
  EXPECT_EQ(
      engine_metadata_json(small_record(), {"y", "x"}),
      R"({"io_bindings":[{"name":"y","dtype":"","shape":[],"is_input":true},)"
      R"({"name":"x","dtype":"","shape":[],"is_input":true},)"
      R"({"name":"out","dtype":"","shape":[],"is_input":false}],"aliased_io":[],)"
      R"("hardware_compatible":false,"device_id":2,"serialized_metadata":"gASV","target_platform":"linux_x86_64"})");
}

TEST(EngineBlob, EscapesNamesAsPythonsJsonDoes) {
  EngineRecord record = small_record();
  record.output_names = {"ö\"/\\\x7f\U0001F600"};
  EXPECT_NE(engine_metadata_json(record, {}).find("\"\\u00f6\\\"/\\\\\\u007f\\ud83d\\ude00\""),
            std::string::npos);
}

TEST(EngineBlob, PutsTheEngineAtAMultipleOfSixteen) {
  const EngineRecord record = small_record();
  const Blob blob = make_engine_blob(record, {"x", "y"});
  ASSERT_EQ(blob.pieces.size(), 2u);
  const std::string_view front = as_text(blob.pieces[0].memory());
  const std::size_t json_size = engine_metadata_json(record, {"x", "y"}).size();
  EXPECT_EQ(front.substr(0, 4), "TR01");
  EXPECT_EQ(front.size(), (32 + json_size + 15) / 16 * 16);
  const auto le32_at = [&front](std::size_t at) {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < 4; ++i)
      out |= std::uint32_t{static_cast<unsigned char>(front[at + i])} << (8 * i);
    return out;
  };
  EXPECT_EQ(le32_at(4), 32u);
  EXPECT_EQ(le32_at(8), json_size);
  EXPECT_EQ(le32_at(12), front.size());
  EXPECT_EQ(le32_at(16), 5u);  // engine size, low half
  EXPECT_EQ(le32_at(20), 0u);
  EXPECT_EQ(le32_at(24), 1u);  // reserved, as the reference writes it
  EXPECT_EQ(le32_at(28), 0u);
  EXPECT_EQ(blob.size_bytes(), front.size() + 5);
}

TEST(EngineBlob, ChangesItsMagicWhenThereAreAliases) {
  EngineRecord record = small_record();
  record.aliased_io = {{0, 0, AliasKind::User}};
  const Blob blob = make_engine_blob(record, {"x", "y"});
  EXPECT_EQ(as_text(blob.pieces[0].memory()).substr(0, 4), "TR02");
  EXPECT_NE(engine_metadata_json(record, {"x", "y"})
                .find(R"("aliased_io":[{"output":"out","input":"x","kind":"user"}])"),
            std::string::npos);
}

TEST(EngineBlob, ListsAliasesInTheOrderOfTheReferencesHashMap) {
  // As the record of a decoder with two layers has them, and as the reference's blob has them.
  EngineRecord record = small_record();
  record.input_names = {"k0", "v0", "k1", "v1"};
  record.output_names = {"output1", "output2", "output3", "output4"};
  record.aliased_io = {{3, 3}, {1, 1}, {2, 2}, {0, 0}};
  std::vector<std::string> order;
  const std::string json = engine_metadata_json(record, {});
  for (std::size_t at = json.find("{\"output\":\""); at != std::string::npos;
       at = json.find("{\"output\":\"", at + 1)) {
    order.push_back(json.substr(at + 11, 7));
  }
  EXPECT_EQ(order, (std::vector<std::string>{"output1", "output3", "output2", "output4"}));
}

TEST(EngineBlob, HasTheHeaderOfTheDocumentedExample) {
  EngineRecord record;
  record.engine = Payload::of_bytes(std::vector<std::byte>(4));
  record.input_names = {"x"};
  record.output_names = {"y"};
  record.target_platform = "linux_x86_64";
  const Blob blob = make_engine_blob(record, {"x"});
  const Bytes front = blob.pieces[0].memory();
  std::string hex;
  for (const std::byte byte : front.first(32))
    hex += fmt::format("{:02x}", static_cast<unsigned>(byte));

  std::ifstream file(PTEC_DOCS_DIR "/formats/tensorrt_blob.md");
  std::string line;
  std::string documented;
  bool inside = false;
  while (std::getline(file, line)) {
    if (line.rfind("```", 0) == 0) inside = line == "```hex";
    if (!inside || line.rfind("```", 0) == 0) continue;
    for (const char letter : line.substr(0, line.find('#'))) {
      if (letter != ' ') documented += letter;
    }
  }
  EXPECT_EQ(hex, documented);
}

}  // namespace
}  // namespace ptec::tensorrt
