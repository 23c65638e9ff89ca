#include "emit/ptd_file.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <span>

#include "emit/blob_reader.h"
#include "layout/ptd_header.h"
#include "ptd_generated.h"
#include "support/byte_reader.h"
#include "support/error.h"

namespace ptec::emit {
namespace {

namespace fb = ptec_ptd;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

constexpr std::uint64_t kFrontBytes = 8;  // root offset and identifier, which the header follows

/// One segment a distinct content, in order of first use. Returns each tensor's.
std::vector<std::uint32_t> lay_out_segments(const ExternalFile& file,
                                            const std::vector<Blob>& contents,
                                            PtdImage& image) {
  std::vector<std::uint32_t> out;
  std::map<std::uint32_t, std::uint32_t> by_content;
  std::uint64_t end = 0;
  for (const ExternalTensor& tensor : file.tensors) {
    const auto [found, added] =
        by_content.emplace(tensor.content, static_cast<std::uint32_t>(image.segments.size()));
    if (added) {
      const Blob& bytes = contents[tensor.content];
      image.segments.push_back({round_up(end, kSegmentAlignment), bytes.size_bytes()});
      image.contents.push_back(&bytes);
      end = image.segments.back().offset_bytes + bytes.size_bytes();
    }
    out.push_back(found->second);
  }
  return out;
}

Offset<fb::NamedData> named_data(FlatBufferBuilder& builder,
                                 const ExternalTensor& tensor,
                                 std::uint32_t segment) {
  std::vector<std::int32_t> sizes;
  for (const std::int64_t size : tensor.sizes) {
    if (size > std::numeric_limits<std::int32_t>::max())
      fail(ErrorCode::Limit, "a dimension passes 2^31 - 1, the most a .ptd can hold");
    sizes.push_back(static_cast<std::int32_t>(size));
  }
  const auto key = builder.CreateString(tensor.name);
  const auto size_vector = builder.CreateVector(sizes);
  const auto dim_order = builder.CreateVector(tensor.dim_order);
  const auto layout = fb::CreateTensorLayout(
      builder, static_cast<std::int8_t>(info(tensor.dtype).pte_code), size_vector, dim_order);
  return fb::CreateNamedData(builder, key, segment, layout);
}

std::vector<std::byte> flatbuffer(const ExternalFile& file,
                                  const std::vector<Segment>& segments,
                                  const std::vector<std::uint32_t>& segment_of) {
  FlatBufferBuilder builder;
  std::vector<Offset<fb::DataSegment>> tables;
  for (const Segment& segment : segments)
    tables.push_back(fb::CreateDataSegment(builder, segment.offset_bytes, segment.size_bytes));
  const auto segment_vector = builder.CreateVector(tables);
  std::vector<Offset<fb::NamedData>> names;
  for (std::size_t i = 0; i < file.tensors.size(); ++i)
    names.push_back(named_data(builder, file.tensors[i], segment_of[i]));
  const auto name_vector = builder.CreateVector(names);
  builder.Finish(fb::CreateFlatTensor(builder, 0, segment_vector, name_vector),
                 fb::FlatTensorIdentifier());
  const Bytes bytes = std::as_bytes(std::span(builder.GetBufferPointer(), builder.GetSize()));
  return {bytes.begin(), bytes.end()};
}

/// Puts the header behind the first 8 bytes, and zeros up to the segments behind the rest.
std::vector<std::byte> with_header(const std::vector<std::byte>& flatbuffer,
                                   std::uint64_t segment_data_size) {
  PtdHeader header{};
  std::memcpy(header.magic.data(), kPtdHeaderMagic.data(), header.magic.size());
  header.length = static_cast<std::uint32_t>(sizeof(header) - sizeof(header.padding));
  header.flatbuffer_offset = sizeof(header);
  header.flatbuffer_size = flatbuffer.size();
  const std::uint64_t base = round_up(sizeof(header) + flatbuffer.size(), kSegmentAlignment);
  header.segment_base_offset = base;
  header.segment_data_size = segment_data_size;

  const std::uint32_t root = ByteReader(flatbuffer).le<std::uint32_t>("root offset") +
                             static_cast<std::uint32_t>(sizeof(header));
  const Bytes header_bytes = std::as_bytes(std::span(&header, 1));
  std::vector<std::byte> out(base);
  const Bytes body = Bytes(flatbuffer);
  const auto behind = std::copy_n(body.begin(), kFrontBytes, out.begin());
  const auto rest = std::copy(header_bytes.begin(), header_bytes.end(), behind);
  std::copy(body.begin() + kFrontBytes, body.end(), rest);
  for (std::size_t i = 0; i < sizeof(root); ++i) out[i] = static_cast<std::byte>(root >> (8 * i));
  return out;
}

}  // namespace

PtdImage lay_out_ptd(const ExternalFile& file, const std::vector<Blob>& contents) {
  PtdImage image;
  const std::vector<std::uint32_t> segment_of = lay_out_segments(file, contents, image);
  const std::uint64_t data_size = image.segments.empty() ? 0
                                                         : image.segments.back().offset_bytes +
                                                               image.segments.back().size_bytes;
  image.front = with_header(flatbuffer(file, image.segments, segment_of), data_size);
  return image;
}

void write_ptd_file(OutputFile& file, const PtdImage& image, RecordSums& sums) {
  file.write(image.front);
  for (std::size_t i = 0; i < image.segments.size(); ++i) {
    file.write_zeros(image.front.size() + image.segments[i].offset_bytes - file.size_bytes());
    BlobReader reader(*image.contents[i], &sums);
    for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) file.write(chunk);
  }
  PTEC_INVARIANT(file.size_bytes() == image.size_bytes(), "the .ptd has another size than planned");
}

}  // namespace ptec::emit
