#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "layout/little_endian.h"
#include "layout/pte_header.h"
#include "layout/tensorrt_blob.h"
#include "support/input_file.h"
#include "tests/support/shared_dir.h"

namespace ptec {
namespace {

TEST(LittleEndian, StoresTheLowByteFirst) {
  const le32 value = 0x01020304u;
  unsigned char bytes[4];
  std::memcpy(bytes, &value, sizeof(bytes));
  EXPECT_EQ(bytes[0], 4);
  EXPECT_EQ(bytes[3], 1);
  EXPECT_EQ(std::uint32_t{value}, 0x01020304u);
  EXPECT_EQ(std::uint64_t{le64(0x8000000000000001u)}, 0x8000000000000001u);
  EXPECT_EQ(std::uint16_t{le16(std::uint16_t{0xFFFE})}, 0xFFFE);
}

TEST(PteExtendedHeader, LiesOverARealFile) {
  const InputFile file = InputFile::open(test::fixture_path("mlp_static.pte").string());
  std::array<std::byte, sizeof(PteExtendedHeader)> bytes{};
  file.read_at(8, bytes);
  PteExtendedHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  EXPECT_EQ(std::string_view(header.magic.data(), 4), kPteExtendedHeaderMagic);
  EXPECT_EQ(std::uint32_t{header.length}, 32u);
  EXPECT_EQ(std::uint64_t{header.program_size}, 1424u);
  EXPECT_EQ(std::uint64_t{header.segment_base_offset}, 1536u);
  EXPECT_EQ(std::uint64_t{header.segment_data_size}, 19764u);
}

TEST(TensorRtBlobHeader, LiesOverARealFile) {
  const InputFile file = InputFile::open(test::fixture_path("mlp_static.pte").string());
  std::array<std::byte, sizeof(TensorRtBlobHeader)> bytes{};
  file.read_at(1536, bytes);
  TensorRtBlobHeader header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  EXPECT_EQ(std::string_view(header.magic.data(), 4), kTensorRtMagicPlain);
  EXPECT_EQ(std::uint32_t{header.metadata_offset}, 32u);
  EXPECT_EQ(std::uint32_t{header.metadata_size}, 2580u);
  EXPECT_EQ(std::uint32_t{header.engine_offset}, 2624u);
  EXPECT_EQ(std::uint64_t{header.engine_size}, 17140u);
}

}  // namespace
}  // namespace ptec
