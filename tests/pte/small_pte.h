// A small valid program with knobs, so that a test breaks one thing at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptec::test {

/// y = x + w, where w is a constant of two floats. Values: 0 x, 1 w, 2 alpha, 3 y, 4 [alpha], 5 [x,
/// y]. Absent optionals leave the field out of the flatbuffer.
struct SmallPte {
  std::uint32_t version = 0;
  std::vector<std::optional<std::string>> method_names = {"forward"};
  std::vector<std::int32_t> sizes = {2};  // of x and y
  std::vector<std::uint8_t> dim_order = {0};
  std::int8_t scalar_type = 6;
  std::int8_t shape_dynamism = 0;
  std::int32_t storage_offset = 0;
  std::uint32_t memory_id = 1;
  std::uint32_t memory_offset_high = 0;
  std::uint32_t data_buffer_idx = 1;  // of w
  bool alpha_has_kind = true;
  std::optional<std::vector<std::int64_t>> int_list = {{2}};
  std::vector<std::int32_t> tensor_list = {0, 3};
  std::optional<std::vector<std::int32_t>> inputs = {{0}};
  std::optional<std::vector<std::int32_t>> outputs = {{3}};
  std::optional<std::string> operator_name = "aten::add";
  std::int32_t op_index = 0;
  std::vector<std::int32_t> args = {0, 1, 2, 3, 3};
  int shared_calls = 0;                          // more instructions that are the very same table
  std::optional<std::int32_t> jump_destination;  // adds a jump behind the call
  bool has_chains = true;
  bool has_instructions = true;
  bool has_delegates = true;
  std::optional<std::vector<std::int64_t>> arenas = {{0, 32}};
  std::optional<std::uint32_t> delegate_segment;  // adds a delegate with its blob there
  std::optional<std::vector<std::uint64_t>> constant_offsets = {{0, 0}};
  std::uint32_t constant_segment = 0;
  std::uint64_t segment_offset = 0;
  std::uint64_t segment_size = 8;
  std::vector<std::string> named_data;  // keys, all of segment 0

  /// The file, with an extended header and one segment of 8 bytes.
  std::vector<std::byte> build() const;
};

}  // namespace ptec::test
