#include "pte/tensorrt_blob.h"

#include <gtest/gtest.h>

#include <string>

#include "support/error.h"
#include "tests/support/blob_builder.h"
#include "tests/support/shared_dir.h"

namespace ptec::inspect {
namespace {

const char* const kJson =
    R"({"io_bindings":[{"name":"x","dtype":"","shape":[],"is_input":true},{"name":"cache","dtype":"","shape":[],"is_input":true},)"
    R"({"name":"y","dtype":"","shape":[],"is_input":false},{"name":"new","dtype":"","shape":[],"is_input":false}],)"
    R"("aliased_io":[{"output":"new","input":"cache","kind":"user"}],"hardware_compatible":true,"device_id":2,)"
    R"("serialized_metadata":"abc=","target_platform":"linux_x86_64"})";

test::BlobBuilder good_blob() {
  test::BlobBuilder blob;
  blob.magic = "TR02";
  blob.json = kJson;
  blob.engine = std::string("ftrt") + std::string(20, '\0') + std::string("\x0a\x0a\x01\x00", 4) +
                std::string(60, 'e');
  return blob;
}

InputFile file_of(const test::BlobBuilder& blob) {
  const std::string text = blob.build();
  const Bytes bytes = as_bytes(text);
  return InputFile::from_bytes("blob", {bytes.begin(), bytes.end()});
}

TensorRtBlob read_whole(const InputFile& file) {
  return read_tensorrt_blob(file, {0, file.size_bytes()});
}

void expect_broken(const test::BlobBuilder& blob, const std::string& message) {
  try {
    read_whole(file_of(blob));
    ADD_FAILURE() << "no error, wanted: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Malformed);
    EXPECT_EQ(std::string(error.what()), message);
  }
}

TEST(TensorRtBlob, ReadsEveryField) {
  const TensorRtBlob blob = read_whole(file_of(good_blob()));
  EXPECT_EQ(blob.magic, "TR02");
  EXPECT_EQ(blob.input_names, (std::vector<std::string>{"x", "cache"}));
  EXPECT_EQ(blob.output_names, (std::vector<std::string>{"y", "new"}));
  ASSERT_EQ(blob.aliased_io.size(), 1u);
  EXPECT_EQ(blob.aliased_io[0].output, "new");
  EXPECT_EQ(blob.aliased_io[0].input, "cache");
  EXPECT_EQ(blob.aliased_io[0].kind, "user");
  EXPECT_TRUE(blob.hardware_compatible);
  EXPECT_EQ(blob.device_id, 2);
  EXPECT_EQ(blob.serialized_metadata, "abc=");
  EXPECT_EQ(blob.target_platform, "linux_x86_64");
  EXPECT_EQ(plan_header_text(blob.plan), "TensorRT 10.10.1.0");
}

TEST(TensorRtBlob, ReadsARealBlob) {
  const InputFile file = InputFile::open(test::fixture_path("mlp_static.pte").string());
  const TensorRtBlob blob = read_tensorrt_blob(file, {1536, 19764});
  EXPECT_EQ(blob.magic, "TR01");
  EXPECT_EQ(blob.metadata_size_bytes, 2580u);
  EXPECT_EQ(blob.engine, (FileRange{2624, 17140}));
  EXPECT_EQ(blob.input_names, (std::vector<std::string>{"input_1"}));
  EXPECT_EQ(blob.output_names, (std::vector<std::string>{"output0"}));
  EXPECT_EQ(plan_header_text(blob.plan), "TensorRT-RTX 1.6.1.120");
}

// What can be wrong is in tests/layout/tensorrt_blob_reader_test.cpp; here is how it is said.
TEST(TensorRtBlob, bad_ALayoutIsTheNumberThatIsWrongAndItsBound) {
  test::BlobBuilder odd = good_blob();
  odd.engine_offset_shift = 1;
  expect_broken(odd, "blob's byte 12: engine_offset 433 is not a multiple of 16");
  test::BlobBuilder wrapped = good_blob();
  wrapped.engine_size_shift = -89;  // a size near 2^64
  expect_broken(wrapped,
                "blob's byte 16: engine_size 18446744073709551615 passes the end of the blob, "
                "which leaves 88");
  const InputFile file = file_of(good_blob());
  try {
    read_tensorrt_blob(file, {0, 31});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "blob's byte 0: blob 31 is shorter than 32");
  }
}

TEST(TensorRtBlob, bad_MetadataIsShownWhereItIsWrong) {
  test::BlobBuilder blob;
  blob.json = R"({"io_bindings":[{"name":"a"},{"name":"a"}]})";
  expect_broken(
      blob,
      "blob's byte 69: name stands there twice; there is '\"a\"}]}\\x00\\x00\\x00\\x00\\x00'");
}

TEST(TensorRtBlob, bad_EveryPrefixIsRefused) {
  const InputFile file = file_of(good_blob());
  for (std::uint64_t size = 0; size < file.size_bytes(); ++size) {
    EXPECT_THROW(read_tensorrt_blob(file, {0, size}), Error) << size;
  }
}

TEST(PlanHeader, TellsProductsApart) {
  const auto text_of = [](std::string_view front) {
    return plan_header_text(read_plan_header(as_bytes(front)));
  };
  EXPECT_EQ(
      text_of(std::string("ftrt") + std::string(20, '\0') + std::string("\x0b\x01\x00\x00", 4)),
      "TensorRT 11.1.0.0");
  EXPECT_EQ(
      text_of(std::string("vtrt") + std::string(20, '\0') + std::string("\x01\x07\x01\x74", 4)),
      "TensorRT-RTX 1.7.1.116");
  EXPECT_EQ(text_of("vtrt, 20 bytes long."), "TensorRT-RTX of unknown version");
  EXPECT_EQ(text_of("abcdefghijklmnopqrstuvwxyz012345"), "unknown product (magic 'abcd')");
  EXPECT_EQ(text_of("ab"), "unknown product (magic '')");
}

}  // namespace
}  // namespace ptec::inspect
