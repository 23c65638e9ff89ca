#include "pte/segments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "support/error.h"

namespace ptec::inspect {
namespace {

/// Padding is read through a small buffer: a gap may be as long as the file.
void check_zeros(const InputFile& file,
                 std::uint64_t begin,
                 std::uint64_t end,
                 std::string_view before) {
  std::array<std::byte, 4096> buffer{};
  while (begin < end) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), end - begin));
    const std::span<std::byte> chunk(buffer.data(), size);
    file.read_at(begin, chunk);
    const auto odd = std::find_if(
        chunk.begin(), chunk.end(), [](std::byte byte) { return byte != std::byte{0}; });
    if (odd != chunk.end()) {
      fail(ErrorCode::Malformed,
           fmt::format("padding before {} at offset {}: byte is {:#04x}, wanted 0",
                       before,
                       begin + static_cast<std::uint64_t>(odd - chunk.begin()),
                       std::to_integer<unsigned>(*odd)));
    }
    begin += size;
  }
}

}  // namespace

void check_segments(const InputFile& file,
                    std::uint64_t flatbuffer_end_bytes,
                    std::uint64_t base_bytes,
                    std::span<const FileRange> segments,
                    std::vector<std::string>& warnings) {
  std::vector<std::size_t> order(segments.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [segments](std::size_t a, std::size_t b) {
    return segments[a].offset_bytes < segments[b].offset_bytes;
  });
  check_zeros(file, flatbuffer_end_bytes, base_bytes, "the segments");
  std::uint64_t end = base_bytes;
  std::size_t previous = 0;
  for (const std::size_t i : order) {
    const FileRange& segment = segments[i];
    if (segment.size_bytes == 0) continue;
    if (segment.offset_bytes < end) {
      fail(ErrorCode::Malformed,
           fmt::format("segment {} at offset {} overlaps segment {}, which ends at {}",
                       i,
                       segment.offset_bytes,
                       previous,
                       end));
    }
    check_zeros(file, end, segment.offset_bytes, fmt::format("segment {}", i));
    end = segment.offset_bytes + segment.size_bytes;
    previous = i;
  }
  if (end < file.size_bytes()) {
    warnings.push_back(
        fmt::format("{} bytes behind the last segment, from offset {}, belong to nothing",
                    file.size_bytes() - end,
                    end));
  }
}

}  // namespace ptec::inspect
