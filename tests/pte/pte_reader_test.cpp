#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <functional>

#include "pte/pte.h"
#include "support/error.h"
#include "support/input_file.h"
#include "tests/pte/small_pte.h"
#include "tests/support/shared_dir.h"

namespace ptec::inspect {
namespace {

using test::SmallPte;

std::vector<std::byte> bytes_of_fixture(const std::string& name) {
  const InputFile file = InputFile::open(test::fixture_path(name).string());
  return file.read_range(0, file.size_bytes(), file.size_bytes(), "fixture");
}

PteFile read_bytes(std::vector<std::byte> bytes) {
  return read_pte(InputFile::from_bytes("x.pte", std::move(bytes)));
}

void expect_error(std::vector<std::byte> bytes, ErrorCode code, const std::string& message) {
  try {
    read_bytes(std::move(bytes));
    ADD_FAILURE() << "no error, wanted: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_EQ(std::string(error.what()), "program 'x.pte': " + message);
  }
}

/// A broken variant of the small program, and what the reader says.
void expect_broken(const std::function<void(SmallPte&)>& change,
                   const std::string& message,
                   ErrorCode code = ErrorCode::Malformed) {
  SmallPte small;
  change(small);
  expect_error(small.build(), code, message);
}

/// Any outcome but Internal is fine.
void expect_survives(std::vector<std::byte> bytes) {
  try {
    read_bytes(std::move(bytes));
  } catch (const Error& error) {
    EXPECT_NE(error.code(), ErrorCode::Internal) << error.what();
  }
}

void set_le64(std::vector<std::byte>& bytes, std::size_t offset, std::uint64_t value) {
  for (std::size_t i = 0; i < 8; ++i) bytes[offset + i] = static_cast<std::byte>(value >> (8 * i));
}

TEST(PteReader, ReadsAStaticProgramWithOneEngine) {
  const PteFile file = read_pte(InputFile::open(test::fixture_path("mlp_static.pte").string()));
  EXPECT_EQ(file.size_bytes, 21300u);
  EXPECT_EQ(file.program_size_bytes, 1424u);
  EXPECT_EQ(file.segment_base_bytes, 1536u);
  EXPECT_EQ(file.segment_data_size_bytes, 19764u);
  EXPECT_TRUE(file.warnings.empty());
  ASSERT_EQ(file.plans.size(), 1u);
  const PtePlan& plan = file.plans[0];
  EXPECT_EQ(plan.name, "forward");
  ASSERT_EQ(plan.values.size(), 4u);
  ASSERT_EQ(plan.inputs.size(), 1u);
  const auto& input = std::get<PteTensor>(plan.values[plan.inputs[0]]);
  EXPECT_EQ(input.dtype->name, "float32");
  EXPECT_EQ(input.sizes, (std::vector<std::int32_t>{2, 16}));
  EXPECT_EQ(input.size_bytes, 128u);
  EXPECT_FALSE(input.device.cuda);
  EXPECT_TRUE(std::get<PteTensor>(plan.values[1]).device.cuda);
  ASSERT_EQ(plan.arenas.size(), 3u);
  EXPECT_EQ(plan.arenas[1].size_bytes, 128u);
  EXPECT_EQ(plan.arenas[2].size_bytes, 192u);
  EXPECT_TRUE(plan.arenas[2].device.cuda);
  ASSERT_EQ(plan.operators.size(), 2u);
  EXPECT_EQ(plan.operators[0].full_name(), "et_copy::_h2d_copy.out");
  ASSERT_EQ(plan.delegates.size(), 1u);
  EXPECT_EQ(plan.delegates[0].backend_id, "TensorRTBackend");
  EXPECT_EQ(plan.delegates[0].blob, (FileRange{1536, 19764}));
  ASSERT_EQ(plan.delegates[0].compile_specs.size(), 1u);
  EXPECT_EQ(plan.delegates[0].compile_specs[0].key, "target_device");
  EXPECT_EQ(plan.delegates[0].compile_specs[0].value, "cuda:0");
  ASSERT_EQ(plan.chains.size(), 1u);
  ASSERT_EQ(plan.chains[0].size(), 3u);
  EXPECT_EQ(std::get<PteDelegateCall>(plan.chains[0][1]).args, (std::vector<std::int32_t>{1, 2}));
}

TEST(PteReader, ReadsEveryFixture) {
  int count = 0;
  std::vector<std::filesystem::path> folders = {test::fixture_path("")};
  if (const auto shared = test::find_shared_dir()) {
    folders.push_back(*shared / "fixtures");
    folders.push_back(*shared / "fixtures" / "models");
  }
  for (const std::filesystem::path& folder : folders) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".pte") continue;
      SCOPED_TRACE(entry.path().string());
      EXPECT_NO_THROW({
        const PteFile file = read_pte(InputFile::open(entry.path().string()));
        EXPECT_TRUE(file.warnings.empty());
        EXPECT_FALSE(file.plans.empty());
      });
      ++count;
    }
  }
  EXPECT_GE(count, 6);
}

TEST(PteReader, ReadsTheSmallProgram) {
  const PteFile file = read_bytes(SmallPte{}.build());
  const auto& weight = std::get<PteTensor>(file.plans.at(0).values.at(1));
  ASSERT_TRUE(weight.data.has_value());
  EXPECT_EQ(*weight.data, (FileRange{file.segment_base_bytes, 8}));
}

// ---- cut files, and files with more behind them

TEST(PteReader, bad_CutInTheHeader) {
  std::vector<std::byte> bytes = bytes_of_fixture("mlp_static.pte");
  bytes.resize(20);
  expect_error(bytes, ErrorCode::Malformed, "file has 20 bytes, needs 64");
}

TEST(PteReader, bad_CutInTheFlatbuffer) {
  std::vector<std::byte> bytes = bytes_of_fixture("mlp_static.pte");
  bytes.resize(700);
  expect_error(bytes, ErrorCode::Malformed, "file has 700 bytes, needs 21300");
}

TEST(PteReader, bad_CutInTheLastSegment) {
  std::vector<std::byte> bytes = bytes_of_fixture("mlp_static.pte");
  bytes.pop_back();
  expect_error(bytes, ErrorCode::Malformed, "file has 21299 bytes, needs 21300");
}

TEST(PteReader, WarnsOfBytesBehindTheLastSegment) {
  std::vector<std::byte> bytes = bytes_of_fixture("mlp_static.pte");
  bytes.resize(bytes.size() + 7, std::byte{0x55});
  const PteFile file = read_bytes(std::move(bytes));
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_EQ(file.warnings[0],
            "7 bytes behind the last segment, from offset 21300, belong to nothing");
}

TEST(PteReader, bad_EveryPrefixIsRefused) {
  const std::vector<std::byte> bytes = bytes_of_fixture("zero_engine.pte");
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(read_bytes({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}),
                 Error)
        << size;
  }
}

TEST(PteReader, SurvivesEveryFlippedByte) {
  for (const char* name : {"zero_engine.pte", "mlp_static.pte"}) {
    const std::vector<std::byte> bytes = bytes_of_fixture(name);
    const std::size_t front = std::min<std::size_t>(bytes.size(), 2400);
    for (std::size_t i = 0; i < front; ++i) {
      for (const unsigned mask : {0x01u, 0x80u, 0xFFu}) {
        std::vector<std::byte> changed = bytes;
        changed[i] ^= static_cast<std::byte>(mask);
        expect_survives(std::move(changed));
      }
    }
  }
}

// ---- header and segments

TEST(PteReader, bad_NotAProgram) {
  std::vector<std::byte> bytes(100);
  std::memcpy(bytes.data(), "ZZZZabcd", 8);
  expect_error(bytes,
               ErrorCode::Malformed,
               "not an ExecuTorch program: bytes 4 to 7 are 'abcd', wanted 'ET12'");
}

TEST(PteReader, bad_AnArchive) {
  expect_error(bytes_of_fixture("zero_engine.pt2"),
               ErrorCode::Unsupported,
               "is a zip file, as .pt2 archives are, and no program (.pte); export it first with "
               "'ptec export'");
}

TEST(PteReader, bad_UnknownHeaderMagic) {
  // The runtime would load this file and compute with wrong constants.
  std::vector<std::byte> bytes = SmallPte{}.build();
  bytes[11] = std::byte{'1'};
  expect_error(bytes,
               ErrorCode::Malformed,
               "segment 0 has 8 bytes, but there is no extended header 'eh00' at offset 8");
}

TEST(PteReader, bad_HeaderTooShort) {
  std::vector<std::byte> bytes = SmallPte{}.build();
  bytes[12] = std::byte{23};
  expect_error(
      bytes, ErrorCode::Malformed, "extended header at offset 8: length is 23, wanted at least 24");
}

TEST(PteReader, bad_SegmentBaseInTheProgram) {
  std::vector<std::byte> bytes = SmallPte{}.build();
  const PteFile good = read_bytes(bytes);
  set_le64(bytes, 24, good.program_size_bytes - 1);
  expect_error(
      bytes,
      ErrorCode::Malformed,
      fmt::format(
          "extended header at offset 8: segment base offset {} lies in the program of {} bytes",
          good.program_size_bytes - 1,
          good.program_size_bytes));
}

TEST(PteReader, bad_SegmentSizesThatWrapAround) {
  std::vector<std::byte> bytes = SmallPte{}.build();
  const PteFile good = read_bytes(bytes);
  set_le64(bytes, 32, ~std::uint64_t{0});
  expect_error(
      bytes,
      ErrorCode::Malformed,
      fmt::format(
          "extended header at offset 8: segment base offset {} and segment data size {} pass 2^64",
          good.segment_base_bytes,
          ~std::uint64_t{0}));
}

TEST(PteReader, bad_SegmentOffsetNearTwoToThe64) {
  expect_broken([](SmallPte& small) { small.segment_offset = ~std::uint64_t{0} - 7; },
                "segment 0: offset 18446744073709551608 and size 8 pass the end of the 8 bytes of "
                "segment data");
}

TEST(PteReader, bad_SegmentLongerThanTheData) {
  expect_broken([](SmallPte& small) { small.segment_size = 9; },
                "segment 0: offset 0 and size 9 pass the end of the 8 bytes of segment data");
}

TEST(PteReader, bad_PaddingIsNotZero) {
  std::vector<std::byte> bytes = SmallPte{}.build();
  const PteFile good = read_bytes(bytes);
  ASSERT_LT(good.program_size_bytes, good.segment_base_bytes);
  bytes[good.segment_base_bytes - 1] = std::byte{7};
  expect_error(bytes,
               ErrorCode::Malformed,
               fmt::format("padding before the segments at offset {}: byte is 0x07, wanted 0",
                           good.segment_base_bytes - 1));
}

// ---- the flatbuffer

TEST(PteReader, bad_VtableOutside) {
  std::vector<std::byte> bytes = SmallPte{}.build();
  std::uint32_t root = 0;
  std::memcpy(&root, bytes.data(), sizeof(root));
  bytes[root + 3] = std::byte{0x40};
  expect_error(bytes,
               ErrorCode::Malformed,
               fmt::format("flatbuffer of {} bytes is broken or cut off: an offset, size or "
                           "alignment in it is wrong",
                           read_bytes(SmallPte{}.build()).program_size_bytes));
}

TEST(PteReader, bad_TheSameBytesOverAndOver) {
  // 20,000 instructions of a few bytes that all point to one list of 100,000 indices would fill the
  // memory.
  SmallPte small;
  small.args.assign(100'000, 0);
  small.shared_calls = 20'000;
  expect_error(small.build(),
               ErrorCode::Malformed,
               "method 'forward': flatbuffer uses the same bytes over and over: its content is "
               "many times its size");
}

TEST(PteReader, bad_NewerVersion) {
  expect_broken([](SmallPte& small) { small.version = 3; },
                "program version is 3; ExecuTorch 1.4 and 1.5, and so ptec, know 0",
                ErrorCode::Unsupported);
}

TEST(PteReader, bad_ConstantSegment) {
  expect_broken([](SmallPte& small) { small.constant_offsets.reset(); },
                "constant_segment is missing");
  expect_broken([](SmallPte& small) { small.constant_offsets.emplace(); },
                "constant_segment.offsets is empty, wanted a placeholder");
  expect_broken([](SmallPte& small) { small.constant_segment = 4; },
                "segment_index of constant_segment is 4, but there are only 1");
  expect_broken(
      [](SmallPte& small) {
        small.constant_offsets = {{0, 9}};
      },
      "constant_segment: offset 1 is 9, but segment 0 has 8 bytes");
}

TEST(PteReader, bad_Methods) {
  expect_broken([](SmallPte& small) { small.method_names = {std::nullopt}; },
                "name of execution_plan 0 is missing");
  expect_broken([](SmallPte& small) { small.method_names = {""}; },
                "name of execution_plan 0 is empty");
  expect_broken(
      [](SmallPte& small) {
        small.method_names = {"forward", "forward"};
      },
      "method 'forward': two methods have this name");
}

TEST(PteReader, bad_NullLists) {
  expect_broken([](SmallPte& small) { small.inputs.reset(); },
                "method 'forward': inputs is missing");
  expect_broken([](SmallPte& small) { small.outputs.reset(); },
                "method 'forward': outputs is missing");
  expect_broken([](SmallPte& small) { small.arenas.reset(); },
                "method 'forward': non_const_buffer_sizes is missing");
  expect_broken([](SmallPte& small) { small.has_delegates = false; },
                "method 'forward': delegates is missing");
  expect_broken([](SmallPte& small) { small.has_chains = false; },
                "method 'forward': chains is missing");
  expect_broken([](SmallPte& small) { small.has_instructions = false; },
                "method 'forward': instructions of chain 0 is missing");
  expect_broken([](SmallPte& small) { small.int_list.reset(); },
                "method 'forward': items of value 4 is missing");
  expect_broken([](SmallPte& small) { small.operator_name.reset(); },
                "method 'forward': name of operator 0 is missing");
}

TEST(PteReader, bad_Values) {
  expect_broken([](SmallPte& small) { small.alpha_has_kind = false; },
                "method 'forward': value 2 has no kind");
  expect_broken([](SmallPte& small) { small.int_list = {{3}}; },
                "method 'forward': value 4: item is value 3, which is a tensor, wanted an int");
  expect_broken([](SmallPte& small) { small.int_list = {{-1}}; },
                "method 'forward': value 4: item is -1, wanted the index of one of 6 values");
  expect_broken([](SmallPte& small) { small.tensor_list = {5}; },
                "method 'forward': value 5: item is 5, wanted the index of an earlier value");
  expect_broken([](SmallPte& small) { small.tensor_list = {2}; },
                "method 'forward': value 5: item is value 2, which is a int, wanted a tensor");
}

TEST(PteReader, bad_Tensors) {
  expect_broken([](SmallPte& small) { small.scalar_type = 99; },
                "method 'forward': value 0: scalar_type 99 is not known");
  expect_broken([](SmallPte& small) { small.storage_offset = 4; },
                "method 'forward': value 0: storage_offset is 4, wanted 0");
  expect_broken([](SmallPte& small) { small.sizes = {-2}; },
                "method 'forward': value 0: a size is -2");
  expect_broken(
      [](SmallPte& small) { small.dim_order = {1}; },
      "method 'forward': value 0: dim_order is no permutation: 1 is repeated or too large");
  expect_broken(
      [](SmallPte& small) {
        small.dim_order = {0, 1};
      },
      "method 'forward': value 0: dim_order has 2 entries for 1 sizes");
  expect_broken([](SmallPte& small) { small.shape_dynamism = 2; },
                "method 'forward': value 0: sizes without bounds, which no portable runtime takes",
                ErrorCode::Unsupported);
  expect_broken(
      [](SmallPte& small) {
        small.sizes.assign(17, 1);
        small.dim_order = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
      },
      "method 'forward': value 0: rank is 17, wanted at most 16");
}

TEST(PteReader, bad_ProductOfSizesOverflows) {
  expect_broken(
      [](SmallPte& small) {
        small.sizes = {2147483647, 2147483647, 2147483647};
        small.dim_order = {0, 1, 2};
      },
      "method 'forward': value 0: the product of its sizes passes 2^63 bytes");
}

TEST(PteReader, bad_Memory) {
  expect_broken([](SmallPte& small) { small.memory_id = 0; },
                "method 'forward': value 0: memory_id is 0, wanted 1 to 1");
  expect_broken([](SmallPte& small) { small.memory_id = 2; },
                "method 'forward': value 0: memory_id is 2, wanted 1 to 1");
  expect_broken([](SmallPte& small) { small.memory_offset_high = 0xFFFFFFFF; },
                "method 'forward': value 0: 8 bytes at offset 18446744069414584320 pass the end of "
                "arena 1, which has 32");
  expect_broken(
      [](SmallPte& small) {
        small.arenas = {{0, 16}};
      },
      "method 'forward': value 3: 8 bytes at offset 16 pass the end of arena 1, which has 16");
  expect_broken(
      [](SmallPte& small) {
        small.arenas = {{0, -1}};
      },
      "method 'forward': non_const_buffer_sizes[1] is -1");
  expect_broken(
      [](SmallPte& small) {
        small.arenas = {{4, 32}};
      },
      "method 'forward': non_const_buffer_sizes[0] is 4, wanted 0: it is reserved");
}

TEST(PteReader, bad_Constants) {
  expect_broken([](SmallPte& small) { small.data_buffer_idx = 2; },
                "method 'forward': data_buffer_idx of value 1 in constant_segment is 2, but there "
                "are only 2");
  expect_broken(
      [](SmallPte& small) {
        small.constant_offsets = {{0, 4}};
      },
      "method 'forward': value 1 needs 8 bytes at offset 4 of constant_segment, which has 8");
}

TEST(PteReader, bad_Indices) {
  expect_broken([](SmallPte& small) { small.inputs = {{6}}; },
                "method 'forward': input 0 is 6, but there are only 6");
  expect_broken([](SmallPte& small) { small.outputs = {{-1}}; },
                "method 'forward': entry of outputs is -1, wanted an index");
  expect_broken([](SmallPte& small) { small.op_index = 1; },
                "method 'forward': instruction 0: op_index is 1, but there are only 1");
  expect_broken(
      [](SmallPte& small) {
        small.args = {0, 7};
      },
      "method 'forward': instruction 0: argument 1 is 7, wanted the index of one of 6 values");
  expect_broken(
      [](SmallPte& small) { small.jump_destination = 3; },
      "method 'forward': instruction 1: destination_instruction is 3, but there are only 3");
  expect_broken([](SmallPte& small) { small.delegate_segment = 1; },
                "method 'forward': delegate 0: index of its segment is 1, but there are only 1");
}

TEST(PteReader, AJumpMayLeadBehindTheLastInstruction) {
  SmallPte small;
  small.jump_destination = 2;
  EXPECT_NO_THROW(read_bytes(small.build()));
}

TEST(PteReader, bad_NamedDataTwice) {
  expect_broken(
      [](SmallPte& small) {
        small.named_data = {"a", "b", "a"};
      },
      "named_data has the key 'a' twice");
}

TEST(PteReader, bad_SegmentsOverlap) {
  // Two methods' worth of the same bytes is fine for named data, which name segments; two segments
  // over one another are not.
  std::vector<std::byte> bytes = bytes_of_fixture("two_engines.pte");
  const PteFile good = read_bytes(bytes);
  ASSERT_GE(good.segments.size(), 3u);
  const std::uint64_t offset = good.segments[2].offset_bytes - good.segment_base_bytes;
  const auto begin = bytes.begin();
  std::array<std::byte, 8> wanted{};
  for (std::size_t i = 0; i < 8; ++i) wanted[i] = static_cast<std::byte>(offset >> (8 * i));
  const auto found = std::search(begin,
                                 begin + static_cast<std::ptrdiff_t>(good.program_size_bytes),
                                 wanted.begin(),
                                 wanted.end());
  ASSERT_NE(found, begin + static_cast<std::ptrdiff_t>(good.program_size_bytes));
  set_le64(bytes, static_cast<std::size_t>(found - begin), offset - 128);
  expect_error(bytes,
               ErrorCode::Malformed,
               fmt::format("segment 2 at offset {} overlaps segment 1, which ends at {}",
                           good.segments[2].offset_bytes - 128,
                           good.segments[1].offset_bytes + good.segments[1].size_bytes));
}

}  // namespace
}  // namespace ptec::inspect
