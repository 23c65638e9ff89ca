#include "tests/pte/small_ptd.h"

#include <flatbuffers/flatbuffers.h>

#include <cstring>

#include "layout/ptd_header.h"
#include "ptd_generated.h"

namespace ptec::test {
namespace {

namespace fb = ptec_ptd;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

constexpr std::size_t kAlignment = 128;

Offset<fb::NamedData> entry_of(FlatBufferBuilder& builder,
                               const SmallPtd& in,
                               const std::optional<std::string>& key) {
  Offset<fb::TensorLayout> layout;
  if (in.has_layout) {
    layout = fb::CreateTensorLayoutDirect(builder,
                                          in.scalar_type,
                                          in.sizes ? &*in.sizes : nullptr,
                                          in.dim_order ? &*in.dim_order : nullptr);
  }
  // A key of its own size, so that it may have a NUL in it.
  const auto name = key ? builder.CreateString(*key) : Offset<flatbuffers::String>();
  return fb::CreateNamedData(builder, name, in.segment_index, layout);
}

}  // namespace

std::vector<std::byte> SmallPtd::build() const {
  FlatBufferBuilder builder;
  std::vector<Offset<fb::DataSegment>> segments;
  for (std::size_t i = 0; i < segment_offsets.size(); ++i)
    segments.push_back(fb::CreateDataSegment(builder, segment_offsets[i], segment_sizes[i]));
  std::vector<Offset<fb::NamedData>> entries;
  for (const std::optional<std::string>& key : keys)
    entries.push_back(entry_of(builder, *this, key));
  for (int i = 0; i < shared_entries; ++i) entries.push_back(entries.front());
  builder.Finish(fb::CreateFlatTensorDirect(builder,
                                            version,
                                            has_segments ? &segments : nullptr,
                                            has_named_data ? &entries : nullptr),
                 fb::FlatTensorIdentifier());

  const std::size_t size = builder.GetSize();
  std::vector<std::byte> flatbuffer(size);
  std::memcpy(flatbuffer.data(), builder.GetBufferPointer(), size);
  PtdHeader header{};
  std::memcpy(header.magic.data(), kPtdHeaderMagic.data(), header.magic.size());
  header.length = header_length;
  header.flatbuffer_offset = sizeof(header);
  header.flatbuffer_size = size;
  header.segment_base_offset = (sizeof(header) + size + kAlignment - 1) / kAlignment * kAlignment;
  header.segment_data_size = 8;

  std::uint32_t root = 0;
  std::memcpy(&root, flatbuffer.data(), sizeof(root));
  const le32 shifted = root + static_cast<std::uint32_t>(sizeof(header));
  std::vector<std::byte> file(header.segment_base_offset + 8);
  std::memcpy(file.data(), &shifted, sizeof(shifted));
  std::memcpy(file.data() + 4, flatbuffer.data() + 4, 4);
  std::memcpy(file.data() + 8, &header, sizeof(header));
  std::memcpy(file.data() + 8 + sizeof(header), flatbuffer.data() + 8, size - 8);
  const float values[2] = {3.0F, 4.0F};
  std::memcpy(file.data() + header.segment_base_offset, values, sizeof(values));
  return file;
}

}  // namespace ptec::test
