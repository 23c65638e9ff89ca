// Payload configs and records: the archive of a fixture, rebuilt with one thing changed.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "ir/verify.h"
#include "tests/support/expect_error.h"
#include "tests/support/zip_builder.h"
#include "tests/torch_export/model_json.h"
#include "torch_export/read.h"

namespace ptec {
namespace {

using test::fails_with;
using test::with;

constexpr std::string_view kWeights = "data/weights/model_weights_config.json";

/// The members of a fixture as a zip file that `change` may edit, opened again.
archive::Pt2Archive rebuilt(const std::string& fixture,
                            const std::function<void(test::ZipFile&)>& change) {
  const auto original = archive::Pt2Archive::open(test::fixture_path(fixture).string());
  test::ZipFile zip;
  for (const archive::ZipEntry& entry : original.entries()) {
    const auto bytes =
        archive::read_zip_entry(original.file(), entry, std::uint64_t{1} << 30, true);
    test::ZipMember member;
    member.name = entry.record.name;
    member.data = as_text(bytes);
    zip.members.push_back(std::move(member));
  }
  change(zip);
  return archive::Pt2Archive::from_file(
      InputFile::from_bytes("rebuilt.pt2", test::bytes_of(test::build_zip(zip))));
}

std::string& member(test::ZipFile& zip, std::string_view name) {
  for (test::ZipMember& found : zip.members) {
    if (found.name.ends_with("/" + std::string(name))) return found.data;
  }
  ADD_FAILURE() << "no member " << name;
  return zip.members.at(0).data;
}

::testing::AssertionResult changed(std::string_view name,
                                   std::string_view from,
                                   std::string_view to,
                                   ErrorCode code,
                                   std::string_view part,
                                   const std::string& fixture = "zero_engine.pt2") {
  const auto archive = rebuilt(fixture, [&](test::ZipFile& zip) {
    std::string& text = member(zip, name);
    text = with(text, from, to);
  });
  return fails_with(code, part, [&] { read_program(archive); });
}

::testing::AssertionResult resized(std::size_t size, std::string_view part) {
  const auto archive = rebuilt("zero_engine.pt2", [&](test::ZipFile& zip) {
    member(zip, "data/weights/weight_0").resize(size);
  });
  return fails_with(ErrorCode::Malformed, part, [&] { read_program(archive); });
}

TEST(ReadPayloads, ReadsARebuiltArchive) {
  const auto archive = rebuilt("zero_engine.pt2", [](test::ZipFile&) {});
  const Program program = read_program(archive);
  verify(program, "read");
  EXPECT_EQ(program.tensors.size(), 2u);
}

TEST(ReadPayloads, KeepsTheWholeStorageOfAView) {
  const auto archive = rebuilt("zero_engine.pt2", [](test::ZipFile& zip) {
    member(zip, "data/weights/weight_0").resize(1024);
    std::string& config = member(zip, kWeights);
    config =
        with(config, "\"storage_offset\": {\"as_int\": 0}", "\"storage_offset\": {\"as_int\": 3}");
  });
  const Program program = read_program(archive);
  const TensorData& weight = program.tensors.at("weight");
  EXPECT_EQ(weight.storage.size_bytes(), 1024u);
  EXPECT_EQ(weight.meta.storage_offset, Dim(3));
}

TEST(ReadPayloads, bad_RecordSizes) {
  EXPECT_TRUE(resized(0,
                      "tensor 'weight': member 'data/weights/model_weights_config.json': "
                      "config.weight: the record is empty, but the shape is [4,8]: the weights "
                      "were not saved (fake tensors)"));
  EXPECT_TRUE(resized(126, "126 bytes, which is no multiple of 4 (float32)"));
  EXPECT_TRUE(resized(124, "the view ends at byte 128 of a record of 124 bytes"));
}

TEST(ReadPayloads, bad_ViewsAreCheckedWithoutWrappingAround) {
  EXPECT_TRUE(changed(kWeights,
                      "\"strides\": [{\"as_int\": 8}",
                      "\"strides\": [{\"as_int\": 9223372036854775807}",
                      ErrorCode::Malformed,
                      "ends at byte 2^64 or more"));
  EXPECT_TRUE(changed(kWeights,
                      "\"storage_offset\": {\"as_int\": 0}",
                      "\"storage_offset\": {\"as_int\": 4611686018427387904}",
                      ErrorCode::Malformed,
                      "ends at byte 2^64 or more"));
}

TEST(ReadPayloads, bad_Configs) {
  EXPECT_TRUE(changed(kWeights,
                      "\"weight\":",
                      "\"other\":",
                      ErrorCode::Malformed,
                      "'weight' has no entry in 'data/weights/model_weights_config.json'"));
  EXPECT_TRUE(changed(kWeights,
                      "\"bias\":",
                      "\"weight\":",
                      ErrorCode::Malformed,
                      "config: 'weight' is there twice"));
  EXPECT_TRUE(changed(kWeights,
                      "\"weight_0\"",
                      "\"weight_9\"",
                      ErrorCode::Malformed,
                      "the archive has no 'data/weights/weight_9'"));
  EXPECT_TRUE(changed(
      kWeights, "\"weight_0\"", "\"../weight_0\"", ErrorCode::Malformed, "no plain file name"));
  EXPECT_TRUE(changed(kWeights,
                      "\"weight_0\"",
                      "\"custom_obj_0\"",
                      ErrorCode::Malformed,
                      "'custom_obj_0' is no kind of payload"));
  EXPECT_TRUE(changed(kWeights,
                      "\"use_pickle\": false",
                      "\"use_pickle\": true",
                      ErrorCode::Unsupported,
                      "a tensor subclass"));
  EXPECT_TRUE(changed(kWeights,
                      "\"sizes\": [{\"as_int\": 4}",
                      "\"sizes\": [{\"as_int\": 2}",
                      ErrorCode::Malformed,
                      "float32[2,8] is stored, the graph says float32[4,8]"));
  EXPECT_TRUE(changed(kWeights,
                      "\"dtype\": 7",
                      "\"dtype\": 5",
                      ErrorCode::Malformed,
                      "int64[4,8] is stored, the graph says float32[4,8]"));
  EXPECT_TRUE(changed(
      kWeights, "\"layout\": 7", "\"layout\": 1", ErrorCode::Unsupported, "layout sparse_coo"));
}

TEST(ReadPayloads, bad_ExpandedCudaTensorsAreAmbiguous) {
  const auto archive = rebuilt("zero_engine.pt2", [](test::ZipFile& zip) {
    std::string& config = member(zip, kWeights);
    config = with(config, "\"type\": \"cpu\"", "\"type\": \"cuda\"");
    config = with(config, "\"strides\": [{\"as_int\": 8}", "\"strides\": [{\"as_int\": 0}");
  });
  EXPECT_TRUE(fails_with(
      ErrorCode::Unsupported, "an expanded tensor on cuda", [&] { read_program(archive); }));
}

TEST(ReadPayloads, bad_ConfigThatIsMissing) {
  const auto archive = rebuilt("zero_engine.pt2", [](test::ZipFile& zip) {
    std::erase_if(zip.members,
                  [](const test::ZipMember& m) { return m.name.ends_with(std::string(kWeights)); });
  });
  EXPECT_TRUE(fails_with(ErrorCode::Malformed,
                         "the archive has no 'data/weights/model_weights_config.json'",
                         [&] { read_program(archive); }));
}

TEST(ReadPayloads, bad_ObjectsThatAreNoEngines) {
  EXPECT_TRUE(changed("models/model.json",
                      "torch.ops.tensorrt.execute_engine.default",
                      "torch.ops.mine.run.default",
                      ErrorCode::Unsupported,
                      "(mine::run.default) uses it; only engines of TensorRT are read",
                      "mlp_static.pt2"));
  EXPECT_TRUE(changed("data/constants/model_constants_config.json",
                      "\"custom_obj_0\"",
                      "\"tensor_0\"",
                      ErrorCode::Malformed,
                      "'tensor_0' holds a tensor, wanted an object",
                      "mlp_static.pt2"));
}

}  // namespace
}  // namespace ptec
