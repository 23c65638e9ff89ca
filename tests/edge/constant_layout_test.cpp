#include "edge/constant_layout.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "ir/text.h"

namespace ptec::edge {
namespace {

Program with_constant(std::vector<Dim> sizes,
                      std::vector<Dim> strides,
                      std::int64_t offset,
                      std::size_t storage_floats) {
  Program program = parse_program(R"(
    method forward(%w: f32[2,3] parameter "w") {
      return (%w)
    })");
  std::vector<float> values(storage_floats);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  TensorData& data = program.tensors["w"];
  data.meta.dtype = ScalarType::Float32;
  data.meta.sizes = std::move(sizes);
  data.meta.strides = std::move(strides);
  data.meta.storage_offset = offset;
  data.storage = Payload::of_bytes(std::move(bytes));
  return program;
}

TEST(ConstantLayout, GathersATransposedViewInRowOrder) {
  // A transposed 3x2 view that begins at element 1: element (i, j) is storage[1 + i + 2 j].
  Program program = with_constant({2, 3}, {1, 2}, 1, 8);
  EXPECT_EQ(normalize_constant_layout(program).copied, 1);
  const TensorData& data = program.tensors.at("w");
  ASSERT_EQ(data.storage.size_bytes(), 24u);
  std::array<float, 6> got{};
  std::memcpy(got.data(), data.storage.memory().data(), sizeof(got));
  EXPECT_EQ(got, (std::array<float, 6>{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(data.meta.strides, (std::vector<Dim>{3, 1}));
  EXPECT_EQ(data.meta.storage_offset, Dim(0));
}

TEST(ConstantLayout, KeepsContiguousAndChannelsLastConstants) {
  Program contiguous = with_constant({2, 3}, {3, 1}, 2, 8);
  EXPECT_EQ(normalize_constant_layout(contiguous).copied, 0);
  Program channels_last = with_constant({1, 2, 2, 2}, {8, 1, 4, 2}, 0, 8);
  EXPECT_EQ(normalize_constant_layout(channels_last).copied, 0);
}

TEST(ConstantLayout, GivesPlainStridesToADepthwiseWeightThatIsChannelsLast) {
  Program program = with_constant({2, 1, 2, 2}, {4, 1, 2, 1}, 0, 8);
  const ConstantLayoutStats stats = normalize_constant_layout(program);
  EXPECT_EQ(stats.copied, 0);
  EXPECT_EQ(stats.restrided, 1);
  EXPECT_EQ(program.tensors.at("w").meta.strides, (std::vector<Dim>{4, 4, 2, 1}));
}

TEST(ConstantLayout, KeepsTheStridesOfAPointwiseWeightThatIsChannelsLast) {
  Program program = with_constant({2, 4, 1, 1}, {4, 1, 4, 4}, 0, 8);
  EXPECT_EQ(normalize_constant_layout(program).restrided, 0);
  EXPECT_EQ(program.tensors.at("w").meta.strides, (std::vector<Dim>{4, 1, 4, 4}));
}

}  // namespace
}  // namespace ptec::edge
