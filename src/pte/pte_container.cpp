// A .pte in one picture (docs/formats/pte.md):
//
//   0      4       8                    40                program_size     segment_base
//   | root | ET12  | extended header    | rest of the     | zeros | segment 0 | zeros | segment 1 |
//   ... | u32  |       | eh00, 32 bytes     | flatbuffer      |
//
// Without segments there is no extended header, and the file is a bare flatbuffer.
#include "pte/pte_container.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "layout/pte_header.h"
#include "support/byte_reader.h"
#include "support/error.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

constexpr std::uint64_t kMinFileBytes = 64;  // what every runtime reads to look for the header
constexpr std::uint64_t kIdentifierOffset = 4;
constexpr std::uint64_t kHeaderOffset = 8;
constexpr std::uint32_t kShortHeaderBytes = 24;  // the older form, without the size of the segments
constexpr std::uint64_t kMaxFlatbufferBytes = 0x7FFFFFF0;  // flatbuffers count with 31 bits

[[noreturn]] void fail_cut(std::uint64_t has, std::uint64_t needs) {
  fail(ErrorCode::Malformed, fmt::format("file has {} bytes, needs {}", has, needs));
}

void read_header(const InputFile& file, PteFile& out) {
  std::array<std::byte, sizeof(PteExtendedHeader)> bytes{};
  file.read_at(kHeaderOffset, bytes);
  const auto header = ByteReader(bytes, kHeaderOffset).record<PteExtendedHeader>("extended header");
  if (std::string_view(header.magic.data(), header.magic.size()) != kPteExtendedHeaderMagic) {
    out.program_size_bytes = out.size_bytes;
    return;
  }
  out.header_size_bytes = header.length;
  out.program_size_bytes = header.program_size;
  out.segment_base_bytes = header.segment_base_offset;
  if (out.header_size_bytes < kShortHeaderBytes) {
    fail(ErrorCode::Malformed,
         fmt::format("extended header at offset {}: length is {}, wanted at least {}",
                     kHeaderOffset,
                     out.header_size_bytes,
                     kShortHeaderBytes));
  }
  const std::uint64_t front = kHeaderOffset + out.header_size_bytes;
  if (out.program_size_bytes < front) {
    fail(ErrorCode::Malformed,
         fmt::format("extended header at offset {}: program size is {}, wanted at least {}",
                     kHeaderOffset,
                     out.program_size_bytes,
                     front));
  }
  if (out.segment_base_bytes != 0 && out.segment_base_bytes < out.program_size_bytes) {
    fail(ErrorCode::Malformed,
         fmt::format(
             "extended header at offset {}: segment base offset {} lies in the program of {} bytes",
             kHeaderOffset,
             out.segment_base_bytes,
             out.program_size_bytes));
  }
  if (out.header_size_bytes >= sizeof(PteExtendedHeader)) {
    out.segment_data_size_bytes = header.segment_data_size;
  } else if (out.segment_base_bytes != 0 && out.segment_base_bytes <= out.size_bytes) {
    out.segment_data_size_bytes = out.size_bytes - out.segment_base_bytes;
  }
}

void check_sizes(const PteFile& out) {
  if (out.segment_base_bytes == 0 && out.segment_data_size_bytes != 0) {
    fail(ErrorCode::Malformed,
         fmt::format(
             "extended header at offset {}: segment data size is {} without a segment base offset",
             kHeaderOffset,
             out.segment_data_size_bytes));
  }
  const auto end = checked_add(out.segment_base_bytes, out.segment_data_size_bytes);
  if (!end) {
    fail(ErrorCode::Malformed,
         fmt::format("extended header at offset {}: segment base offset {} and segment data size "
                     "{} pass 2^64",
                     kHeaderOffset,
                     out.segment_base_bytes,
                     out.segment_data_size_bytes));
  }
  const std::uint64_t needs = std::max(*end, out.program_size_bytes);
  if (out.size_bytes < needs) fail_cut(out.size_bytes, needs);
}

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

/// A user who takes an archive for a program is one step away from what was meant.
void refuse_archive(const InputFile& file) {
  std::array<std::byte, 4> start{};
  if (file.size_bytes() < start.size()) return;
  file.read_at(0, start);
  if (as_text(start) == "PK\3\4") {
    fail(ErrorCode::Unsupported,
         "is a zip file, as .pt2 archives are, and no program (.pte); export it first with 'ptec "
         "export'");
  }
}

}  // namespace

std::vector<std::byte> read_pte_container(const InputFile& file, PteFile& out) {
  out.size_bytes = file.size_bytes();
  refuse_archive(file);
  if (out.size_bytes >= kIdentifierOffset + 4) {
    std::array<std::byte, 4> identifier{};
    file.read_at(kIdentifierOffset, identifier);
    if (as_text(identifier) != "ET12") {
      fail(ErrorCode::Malformed,
           fmt::format("not an ExecuTorch program: bytes 4 to 7 are '{}', wanted 'ET12'",
                       printable(as_text(identifier))));
    }
  }
  if (out.size_bytes < kMinFileBytes) fail_cut(out.size_bytes, kMinFileBytes);
  read_header(file, out);
  check_sizes(out);
  return file.read_range(0, out.program_size_bytes, kMaxFlatbufferBytes, "flatbuffer");
}

void check_pte_regions(const InputFile& file, PteFile& out) {
  std::vector<std::size_t> order(out.segments.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&out](std::size_t a, std::size_t b) {
    return out.segments[a].offset_bytes < out.segments[b].offset_bytes;
  });
  std::uint64_t end = out.program_size_bytes;
  if (out.segment_base_bytes != 0) {
    check_zeros(file, end, out.segment_base_bytes, "the segments");
    end = out.segment_base_bytes;
  }
  std::size_t previous = 0;
  for (const std::size_t i : order) {
    const FileRange& segment = out.segments[i];
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
  if (end < out.size_bytes) {
    out.warnings.push_back(
        fmt::format("{} bytes behind the last segment, from offset {}, belong to nothing",
                    out.size_bytes - end,
                    end));
  }
}

}  // namespace ptec::inspect
