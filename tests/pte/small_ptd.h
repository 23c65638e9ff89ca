// A small valid data file with knobs, so that a test breaks one thing at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ptec::test {

/// "w", two floats in one segment of 8 bytes. Absent optionals leave the field out.
struct SmallPtd {
  std::uint32_t version = 0;
  std::vector<std::optional<std::string>> keys = {"w"};  // all of them with the same layout
  std::uint32_t segment_index = 0;
  bool has_layout = true;
  std::int8_t scalar_type = 6;
  std::optional<std::vector<std::int32_t>> sizes = {{2}};
  std::optional<std::vector<std::uint8_t>> dim_order = {{0}};
  bool has_segments = true;
  bool has_named_data = true;
  std::vector<std::uint64_t> segment_offsets = {0};
  std::vector<std::uint64_t> segment_sizes = {8};
  int shared_entries = 0;  // more entries that are the very same table
  std::uint32_t header_length = 40;

  /// The file, with 8 bytes of data.
  std::vector<std::byte> build() const;
};

}  // namespace ptec::test
