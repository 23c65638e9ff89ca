#include <gtest/gtest.h>

#include <functional>

#include "pte/ptd.h"
#include "support/error.h"
#include "tests/pte/small_ptd.h"
#include "tests/support/shared_dir.h"

namespace ptec::inspect {
namespace {

using test::SmallPtd;

PtdFile read_bytes(std::vector<std::byte> bytes) {
  return read_ptd(InputFile::from_bytes("x.ptd", std::move(bytes)));
}

void expect_error(std::vector<std::byte> bytes, ErrorCode code, const std::string& message) {
  try {
    read_bytes(std::move(bytes));
    ADD_FAILURE() << "no error, wanted: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(std::string(error.what()), "data file 'x.ptd': " + message);
  }
}

void expect_broken(const std::function<void(SmallPtd&)>& change,
                   const std::string& message,
                   ErrorCode code = ErrorCode::Malformed) {
  SmallPtd small;
  change(small);
  expect_error(small.build(), code, message);
}

std::vector<std::byte> with_le64(std::vector<std::byte> bytes,
                                 std::size_t offset,
                                 std::uint64_t value) {
  for (std::size_t i = 0; i < 8; ++i) bytes[offset + i] = static_cast<std::byte>(value >> (8 * i));
  return bytes;
}

std::vector<std::byte> bytes_of_fixture(const std::string& name) {
  const InputFile file = InputFile::open(test::fixture_path(name).string());
  return file.read_range(0, file.size_bytes(), file.size_bytes(), "fixture");
}

TEST(PtdReader, ReadsTheReferencesFile) {
  const PtdFile file = read_ptd(InputFile::open(test::fixture_path("external/all.ptd").string()));
  EXPECT_TRUE(file.warnings.empty());
  ASSERT_EQ(file.entries.size(), 6u);
  ASSERT_EQ(file.segments.size(), 5u);
  EXPECT_EQ(file.entries[1].key, "table");
  ASSERT_TRUE(file.entries[1].layout.has_value());
  EXPECT_EQ(file.entries[1].layout->dtype->name, "float32");
  EXPECT_EQ(file.entries[1].layout->sizes, (std::vector<std::int32_t>{8, 4}));
  EXPECT_EQ(file.entries[1].layout->dim_order, (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(file.entries[4].key, "copy_of_table");
  EXPECT_EQ(file.entries[4].segment, file.entries[1].segment);
  EXPECT_EQ(file.segments[1], (FileRange{896, 128}));
}

TEST(PtdReader, ReadsTheSmallFileThatTestsBreak) {
  const PtdFile file = read_bytes(SmallPtd().build());
  ASSERT_EQ(file.entries.size(), 1u);
  EXPECT_EQ(file.entries[0].layout->size_bytes, 8u);
  EXPECT_TRUE(file.warnings.empty());
}

TEST(PtdReader, TakesDataWithoutALayout) {
  SmallPtd small;
  small.has_layout = false;
  EXPECT_FALSE(read_bytes(small.build()).entries[0].layout.has_value());
}

TEST(PtdReader, WarnsOfBytesBehindTheLastSegment) {
  std::vector<std::byte> bytes = SmallPtd().build();
  const std::string end = std::to_string(bytes.size());
  bytes.resize(bytes.size() + 5);
  const PtdFile file = read_bytes(std::move(bytes));
  EXPECT_EQ(file.warnings,
            std::vector<std::string>{"5 bytes behind the last segment, from offset " + end +
                                     ", belong to nothing"});
}

TEST(PtdReader, bad_Front) {
  std::vector<std::byte> bytes = SmallPtd().build();
  bytes[4] = std::byte{'X'};
  expect_error(bytes,
               ErrorCode::Malformed,
               "not an ExecuTorch data file: bytes 4 to 7 are 'XT01', wanted 'FT01'");
  bytes = SmallPtd().build();
  bytes[10] = std::byte{'X'};
  expect_error(bytes, ErrorCode::Malformed, "header at offset 8: magic is 'FHX1', wanted 'FH01'");
  expect_error({}, ErrorCode::Malformed, "file has 0 bytes, needs 48");
  expect_broken([](SmallPtd& small) { small.header_length = 39; },
                "header at offset 8: length is 39, wanted at least 40");
  expect_broken([](SmallPtd& small) { small.version = 1; },
                "version is 1; ExecuTorch 1.4 and 1.5, and so ptec, know 0",
                ErrorCode::Unsupported);
}

// The runtime adds these numbers without a look at the sum.
TEST(PtdReader, bad_SizesThatWrap) {
  const std::vector<std::byte> good = SmallPtd().build();
  const std::uint64_t huge = ~std::uint64_t{0} - 7;
  expect_error(with_le64(good, 16, huge),
               ErrorCode::Malformed,
               "header at offset 8: flatbuffer size is 144, wanted an end below 2^64");
  expect_error(with_le64(good, 24, huge),
               ErrorCode::Malformed,
               "header at offset 8: flatbuffer size is 18446744073709551608, wanted an end below "
               "2^64");
  expect_error(with_le64(good, 32, huge),
               ErrorCode::Malformed,
               "header at offset 8: segment data size is 8, wanted an end below 2^64");
  expect_error(
      with_le64(good, 40, 1u << 20), ErrorCode::Malformed, "file has 264 bytes, needs 1048832");
}

TEST(PtdReader, bad_Lists) {
  expect_broken([](SmallPtd& small) { small.has_segments = false; }, "segments is missing");
  expect_broken([](SmallPtd& small) { small.has_named_data = false; }, "named_data is missing");
  expect_broken([](SmallPtd& small) { small.keys = {std::nullopt}; },
                "key of named_data 0 is missing");
  expect_broken([](SmallPtd& small) { small.keys = {""}; },
                "key of named_data 0 is empty, which the runtime cannot look up");
  expect_broken([](SmallPtd& small) { small.keys = {std::string("w\0x", 3)}; },
                "key of named_data 0 is 'w\\x00x', which the runtime cannot look up");
  expect_broken([](SmallPtd& small) { small.keys = {"w", "v", "w"}; }, "key 'w' is there twice");
  expect_broken([](SmallPtd& small) { small.segment_index = 1; },
                "tensor 'w': segment_index is 1, but there are only 1");
  expect_broken(
      [](SmallPtd& small) { small.shared_entries = 1000; },
      "flatbuffer of 4192 bytes is broken or cut off: an offset, size or alignment in it is "
      "wrong");
}

TEST(PtdReader, bad_Layouts) {
  expect_broken([](SmallPtd& small) { small.scalar_type = 99; },
                "tensor 'w': scalar_type 99 is not known");
  expect_broken([](SmallPtd& small) { small.sizes.reset(); }, "tensor 'w': sizes is missing");
  expect_broken([](SmallPtd& small) { small.dim_order.reset(); },
                "tensor 'w': dim_order is missing");
  expect_broken([](SmallPtd& small) { small.dim_order = std::vector<std::uint8_t>(); },
                "tensor 'w': tensor_layout: dim_order has 0 entries for 1 sizes");
  expect_broken([](SmallPtd& small) { small.dim_order = {{1}}; },
                "tensor 'w': tensor_layout: dim_order is no permutation: 1 is repeated or too "
                "large");
  expect_broken([](SmallPtd& small) { small.sizes = {{-1}}; },
                "tensor 'w': tensor_layout: a size is -1");
  expect_broken([](SmallPtd& small) { small.sizes = {{3}}; },
                "tensor 'w': it needs 12 bytes, segment 0 has 8");
}

TEST(PtdReader, bad_Segments) {
  expect_broken([](SmallPtd& small) { small.segment_offsets = {~std::uint64_t{0}}; },
                "segment 0: offset 18446744073709551615 and size 8 pass the end of the 8 bytes of "
                "segment data");
  expect_broken(
      [](SmallPtd& small) {
        small.segment_offsets = {0, 4};
        small.segment_sizes = {8, 4};
      },
      "segment 1 at offset 260 overlaps segment 0, which ends at 264");
  expect_broken(
      [](SmallPtd& small) {
        small.segment_offsets = {2};
        small.segment_sizes = {4};
        small.sizes = {{1}};
      },
      "tensor 'w': segment 0 is at offset 258, wanted a multiple of the 4 bytes of a float32");
  expect_broken(
      [](SmallPtd& small) {
        small.segment_offsets = {4};
        small.segment_sizes = {4};
        small.sizes = {{1}};
      },
      "padding before segment 0 at offset 258: byte is 0x40, wanted 0");
}

TEST(PtdReader, bad_EveryPrefixIsRefused) {
  const std::vector<std::byte> whole = bytes_of_fixture("external/tables.ptd");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(read_bytes({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}),
                 Error)
        << size;
  }
}

// Whatever the reader lets pass, its ranges lie in the file.
TEST(PtdReader, OneChangedByteIsRefusedOrHarmless) {
  const std::vector<std::byte> whole = bytes_of_fixture("external/tables.ptd");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned flip : {0x01u, 0x80u, 0xFFu}) {
      std::vector<std::byte> bytes = whole;
      bytes[at] ^= static_cast<std::byte>(flip);
      try {
        const PtdFile file = read_bytes(std::move(bytes));
        for (const PtdEntry& entry : file.entries) {
          const FileRange& segment = file.segments.at(entry.segment);
          EXPECT_LE(segment.offset_bytes + segment.size_bytes, whole.size());
          if (!entry.layout) continue;
          EXPECT_LE(entry.layout->size_bytes, segment.size_bytes);
        }
      } catch (const Error& error) {
        EXPECT_NE(error.code(), ErrorCode::Internal) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace ptec::inspect
