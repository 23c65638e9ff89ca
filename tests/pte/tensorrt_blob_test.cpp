#include "pte/tensorrt_blob.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "layout/tensorrt_blob.h"
#include "support/error.h"
#include "tests/support/shared_dir.h"

namespace ptec::inspect {
namespace {

const char* const kJson =
    R"({"io_bindings":[{"name":"x","dtype":"","shape":[],"is_input":true},{"name":"cache","dtype":"","shape":[],"is_input":true},)"
    R"({"name":"y","dtype":"","shape":[],"is_input":false},{"name":"new","dtype":"","shape":[],"is_input":false}],)"
    R"("aliased_io":[{"output":"new","input":"cache","kind":"user"}],"hardware_compatible":true,"device_id":2,)"
    R"("serialized_metadata":"abc=","target_platform":"linux_x86_64"})";

struct Blob {
  std::string magic = "TR02";
  std::string json = kJson;
  std::string engine = std::string("ftrt") + std::string(20, '\0') +
                       std::string("\x0a\x0a\x01\x00", 4) + std::string(60, 'e');
  std::uint32_t metadata_offset = 32;
  std::int64_t engine_offset_shift = 0;
  std::int64_t engine_size_shift = 0;
  std::string tail;

  InputFile file() const {
    TensorRtBlobHeader header{};
    std::memcpy(header.magic.data(), magic.data(), 4);
    const std::size_t engine_offset = (32 + json.size() + 15) / 16 * 16;
    header.metadata_offset = metadata_offset;
    header.metadata_size = static_cast<std::uint32_t>(json.size());
    header.engine_offset =
        static_cast<std::uint32_t>(static_cast<std::int64_t>(engine_offset) + engine_offset_shift);
    header.engine_size =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(engine.size()) + engine_size_shift);
    std::string text(32, '\0');
    std::memcpy(text.data(), &header, 32);
    text += json;
    text.resize(engine_offset);
    text += engine + tail;
    const Bytes bytes = as_bytes(text);
    return InputFile::from_bytes("blob", {bytes.begin(), bytes.end()});
  }
};

TensorRtBlob read_whole(const InputFile& file) {
  return read_tensorrt_blob(file, {0, file.size_bytes()});
}

void expect_broken(const Blob& blob, const std::string& message) {
  try {
    read_whole(blob.file());
    ADD_FAILURE() << "no error, wanted: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Malformed);
    EXPECT_EQ(std::string(error.what()), message);
  }
}

Blob with_json(const std::string& json) {
  Blob blob;
  blob.json = json;
  return blob;
}

TEST(TensorRtBlobReader, ReadsEveryField) {
  const TensorRtBlob blob = read_whole(Blob{}.file());
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

TEST(TensorRtBlobReader, ReadsARealBlob) {
  const InputFile file = InputFile::open(test::fixture_path("mlp_static.pte").string());
  const TensorRtBlob blob = read_tensorrt_blob(file, {1536, 19764});
  EXPECT_EQ(blob.magic, "TR01");
  EXPECT_EQ(blob.metadata_size_bytes, 2580u);
  EXPECT_EQ(blob.engine, (FileRange{2624, 17140}));
  EXPECT_EQ(blob.input_names, (std::vector<std::string>{"input_1"}));
  EXPECT_EQ(blob.output_names, (std::vector<std::string>{"output0"}));
  EXPECT_EQ(plan_header_text(blob.plan), "TensorRT-RTX 1.6.1.120");
}

TEST(TensorRtBlobReader, bad_Layout) {
  Blob magic;
  magic.magic = "TR03";
  expect_broken(magic, "blob's magic is 'TR03', wanted 'TR01' or 'TR02'");
  Blob offset;
  offset.metadata_offset = 31;
  expect_broken(offset, "metadata_offset is 31, wanted at least 32");
  Blob odd;
  odd.engine_offset_shift = 1;
  expect_broken(odd, "engine_offset is 433, wanted a multiple of 16");
  Blob longer;
  longer.engine_size_shift = 1;
  expect_broken(longer,
                "engine of 89 bytes at offset 432 passes the end of the blob, which has 520");
  Blob tail;
  tail.tail = "xyz";
  expect_broken(tail, "blob has 3 bytes behind its engine, wanted none");
  Blob wrapped;
  wrapped.engine_size_shift = -89;  // a size near 2^64
  expect_broken(wrapped,
                "engine of 18446744073709551615 bytes at offset 432 passes the end of the blob, "
                "which has 520");
  Blob overlap;
  overlap.metadata_offset = 400;
  expect_broken(overlap, "metadata of 394 bytes at offset 400 reaches into the engine at 432");
}

TEST(TensorRtBlobReader, bad_Metadata) {
  expect_broken(with_json("[]"),
                "metadata is no JSON object: The JSON element does not have the requested type.");
  expect_broken(with_json("{}"), "metadata has no io_bindings");
  expect_broken(with_json(R"({"io_bindings":[],"io_bindings":[]})"),
                "metadata has the key 'io_bindings' twice");
  expect_broken(with_json(R"({"io_bindings":[1]})"),
                "metadata's io_bindings holds something that is no object");
  expect_broken(with_json(R"({"io_bindings":[{"is_input":true}]})"),
                "metadata's io_bindings has an entry without a name");
  expect_broken(with_json(R"({"io_bindings":[{"name":"a"},{"name":"a"}]})"),
                "metadata's io_bindings has 'a' twice");
  expect_broken(with_json(R"({"io_bindings":[],"device_id":"0"})"),
                "metadata's device_id is not an integer");
  expect_broken(
      with_json(R"({"io_bindings":[{"name":"a"}],"aliased_io":[{"output":"b","input":"a"}]})"),
      "metadata's aliased_io names 'b', which is no such binding");
}

TEST(TensorRtBlobReader, bad_EveryPrefixIsRefused) {
  const InputFile file = Blob{}.file();
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
