#include "emit/pte_file.h"

#include <cstring>

#include "emit/blob_reader.h"
#include "layout/pte_header.h"
#include "support/byte_reader.h"
#include "support/error.h"

namespace ptec::emit {
namespace {

constexpr std::uint64_t kFrontBytes =
    8;  // root offset and file identifier, which the header follows
constexpr std::uint64_t kHeaderBytes =
    32;  // sizeof(PteExtendedHeader), and a multiple of every forced alignment

struct Layout {
  std::uint64_t program_size_bytes = 0;  // flatbuffer with the header in it
  std::uint64_t segment_base_bytes = 0;  // 0: no segments
};

Layout layout_of(const std::vector<std::byte>& flatbuffer, const SegmentTable& segments) {
  if (segments.size_bytes() == 0) return {flatbuffer.size(), 0};
  const std::uint64_t program = flatbuffer.size() + kHeaderBytes;
  return {program, round_up(program, kSegmentAlignment)};
}

/// The root offset counts from the file's start, so it grows by what is spliced in behind it.
void shift_root(std::vector<std::byte>& flatbuffer) {
  const std::uint32_t root = ByteReader(flatbuffer).le<std::uint32_t>("root offset") +
                             static_cast<std::uint32_t>(kHeaderBytes);
  for (std::size_t i = 0; i < sizeof(root); ++i)
    flatbuffer[i] = static_cast<std::byte>(root >> (8 * i));
}

void write_blob(OutputFile& file, const Blob& blob, RecordSums& sums) {
  BlobReader reader(blob, &sums);
  for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) file.write(chunk);
}

}  // namespace

std::uint64_t pte_file_size_bytes(const std::vector<std::byte>& flatbuffer,
                                  const SegmentTable& segments) {
  const Layout layout = layout_of(flatbuffer, segments);
  return layout.segment_base_bytes == 0 ? layout.program_size_bytes
                                        : layout.segment_base_bytes + segments.size_bytes();
}

void write_pte_file(OutputFile& file,
                    std::vector<std::byte> flatbuffer,
                    const SegmentTable& segments,
                    RecordSums& sums) {
  const Layout layout = layout_of(flatbuffer, segments);
  if (layout.segment_base_bytes == 0) {
    file.write(flatbuffer);
    return;
  }
  shift_root(flatbuffer);
  PteExtendedHeader header{};
  static_assert(sizeof(header) == kHeaderBytes);
  std::memcpy(header.magic.data(), kPteExtendedHeaderMagic.data(), header.magic.size());
  header.length = static_cast<std::uint32_t>(kHeaderBytes);
  header.program_size = layout.program_size_bytes;
  header.segment_base_offset = layout.segment_base_bytes;
  header.segment_data_size = segments.size_bytes();
  file.write(Bytes(flatbuffer).first(kFrontBytes));
  file.write(std::as_bytes(std::span(&header, 1)));
  file.write(Bytes(flatbuffer).subspan(kFrontBytes));

  const auto pad_to = [&](std::uint64_t offset) {
    file.write_zeros(layout.segment_base_bytes + offset - file.size_bytes());
  };
  for (std::size_t i = 0; i < segments.constants.size(); ++i) {
    pad_to(segments.constant_offsets[i + 1]);
    write_blob(file, segments.constants[i], sums);
  }
  if (!segments.initial_offsets.empty()) {
    pad_to(segments.segments[1].offset_bytes);
    for (const Blob& value : segments.initial_values) write_blob(file, value, sums);
  }
  for (std::size_t i = 0; i < segments.blobs.size(); ++i) {
    pad_to(segments.segments[segments.first_blob + i].offset_bytes);
    write_blob(file, segments.blobs[i], sums);
  }
  PTEC_INVARIANT(file.size_bytes() == layout.segment_base_bytes + segments.size_bytes(),
                 "the file has another size than planned");
}

}  // namespace ptec::emit
