// A .ptd in one picture (docs/formats/ptd.md):
//
//   0      4       8              48      56              flatbuffer_end   segment_base
//   | root | FT01  | header FH01  | zeros | rest of the   | zeros | segment 0 | zeros | segment 1 |
//   | u32  |       | 40 bytes     |       | flatbuffer    |
//
// The runtime verifies none of it: it follows every offset, adds sizes without a look at their sum,
// and takes a tensor's bytes from a segment however short that is.
#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "layout/ptd_header.h"
#include "ptd_generated.h"
#include "pte/flatbuffer_walk.h"
#include "pte/ptd.h"
#include "pte/pte_shape.h"
#include "pte/segments.h"
#include "support/byte_reader.h"
#include "support/error.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

namespace fb = ptec_ptd;

constexpr std::uint64_t kHeaderOffset = 8;
constexpr std::uint32_t kHeaderBytes = sizeof(PtdHeader) - sizeof(PtdHeader::padding);
constexpr std::uint64_t kMinFileBytes = kHeaderOffset + kHeaderBytes;
constexpr std::uint64_t kMaxFlatbufferBytes = 0x7FFFFFF0;  // flatbuffers count with 31 bits
constexpr flatbuffers::uoffset_t kMaxDepth = 8;            // the schema needs 3

[[noreturn]] void fail_header(std::string_view field,
                              std::uint64_t found,
                              std::string_view wanted) {
  fail(
      ErrorCode::Malformed,
      fmt::format("header at offset {}: {} is {}, wanted {}", kHeaderOffset, field, found, wanted));
}

void check_file_needs(const PtdFile& out, std::uint64_t bytes) {
  if (out.size_bytes < bytes)
    fail(ErrorCode::Malformed, fmt::format("file has {} bytes, needs {}", out.size_bytes, bytes));
}

void read_header(const InputFile& file, PtdFile& out) {
  std::array<std::byte, kMinFileBytes> front{};
  file.read_at(0, front);
  const std::string_view identifier = as_text(front).substr(4, 4);
  if (identifier != fb::FlatTensorIdentifier()) {
    fail(ErrorCode::Malformed,
         fmt::format("not an ExecuTorch data file: bytes 4 to 7 are '{}', wanted '{}'",
                     printable(identifier),
                     fb::FlatTensorIdentifier()));
  }
  ByteReader reader(Bytes(front).subspan(kHeaderOffset), kHeaderOffset);
  const std::string_view magic = as_text(reader.take(kPtdHeaderMagic.size(), "magic"));
  if (magic != kPtdHeaderMagic) {
    fail(ErrorCode::Malformed,
         fmt::format("header at offset {}: magic is '{}', wanted '{}'",
                     kHeaderOffset,
                     printable(magic),
                     kPtdHeaderMagic));
  }
  out.header_size_bytes = reader.le<std::uint32_t>("length");
  const auto flatbuffer_offset = reader.le<std::uint64_t>("flatbuffer offset");
  const auto flatbuffer_size = reader.le<std::uint64_t>("flatbuffer size");
  out.segment_base_bytes = reader.le<std::uint64_t>("segment base offset");
  out.segment_data_size_bytes = reader.le<std::uint64_t>("segment data size");

  if (out.header_size_bytes < kHeaderBytes)
    fail_header("length", out.header_size_bytes, fmt::format("at least {}", kHeaderBytes));
  if (flatbuffer_offset < out.header_size_bytes) {
    fail_header("flatbuffer offset",
                flatbuffer_offset,
                fmt::format("at least the header's {}", out.header_size_bytes));
  }
  const auto flatbuffer_end = checked_add(flatbuffer_offset, flatbuffer_size);
  if (!flatbuffer_end) fail_header("flatbuffer size", flatbuffer_size, "an end below 2^64");
  out.flatbuffer_end_bytes = *flatbuffer_end;
}

void check_header(const PtdFile& out) {
  check_file_needs(out, out.flatbuffer_end_bytes);
  if (out.flatbuffer_end_bytes < kMinFileBytes) {
    fail_header("end of the flatbuffer",
                out.flatbuffer_end_bytes,
                fmt::format("at least {}", kMinFileBytes));
  }
  if (out.segment_data_size_bytes == 0) return;
  if (out.segment_base_bytes < out.flatbuffer_end_bytes) {
    fail_header("segment base offset",
                out.segment_base_bytes,
                fmt::format("at least the flatbuffer's end {}", out.flatbuffer_end_bytes));
  }
  const auto end = checked_add(out.segment_base_bytes, out.segment_data_size_bytes);
  if (!end) fail_header("segment data size", out.segment_data_size_bytes, "an end below 2^64");
  check_file_needs(out, *end);
}

class Decoder {
 public:
  // Nothing but vtables is shared in a .ptd: a key stands for one tensor, and no two are equal.
  Decoder(std::size_t flatbuffer_size_bytes, PtdFile& out)
      : walk_(flatbuffer_size_bytes), out_(out) {}

  void run(const fb::FlatTensor& in) {
    if (in.version() != 0) {
      fail(ErrorCode::Unsupported,
           fmt::format("version is {}; ExecuTorch 1.4 and 1.5, and so ptec, know 0", in.version()));
    }
    required(in.segments(), "segments");
    walk_.tables(in.segments(), "segment", [this](const fb::DataSegment& item, std::size_t i) {
      out_.segments.push_back(segment(item, i));
    });
    required(in.named_data(), "named_data");
    walk_.tables(in.named_data(), "named_data", [this](const fb::NamedData& item, std::size_t i) {
      out_.entries.push_back(entry(item, i));
    });
  }

 private:
  FileRange segment(const fb::DataSegment& in, std::size_t index) const {
    const std::uint64_t available = out_.segment_data_size_bytes;
    if (in.offset() > available || in.size() > available - in.offset()) {
      fail(ErrorCode::Malformed,
           fmt::format(
               "segment {}: offset {} and size {} pass the end of the {} bytes of segment data",
               index,
               in.offset(),
               in.size(),
               available));
    }
    return {out_.segment_base_bytes + in.offset(), in.size()};
  }

  PtdEntry entry(const fb::NamedData& in, std::size_t index) {
    PtdEntry out;
    out.key = walk_.text(&required(in.key(), fmt::format("key of named_data {}", index)));
    // The runtime compares keys up to the first NUL, and takes the first that fits.
    if (out.key.empty() || out.key.find('\0') != std::string::npos) {
      fail(ErrorCode::Malformed,
           fmt::format("key of named_data {} is {}, which the runtime cannot look up",
                       index,
                       out.key.empty() ? "empty" : fmt::format("'{}'", printable(out.key))));
    }
    const Breadcrumb here("tensor", out.key);
    out.segment = in.segment_index();
    if (out.segment >= out_.segments.size()) {
      fail(ErrorCode::Malformed,
           fmt::format(
               "segment_index is {}, but there are only {}", out.segment, out_.segments.size()));
    }
    if (const fb::TensorLayout* stored = in.tensor_layout()) {
      out.layout = layout(*stored);
      check_place(*out.layout, out.segment);
    }
    return out;
  }

  PtdLayout layout(const fb::TensorLayout& in) {
    PtdLayout out;
    out.dtype = find_pte_dtype(in.scalar_type());
    if (out.dtype == nullptr) {
      fail(ErrorCode::Malformed,
           fmt::format("scalar_type {} is not known", static_cast<int>(in.scalar_type())));
    }
    out.sizes = walk_.numbers<std::int32_t>(required(in.sizes(), "sizes"));
    out.dim_order = walk_.numbers<std::uint8_t>(required(in.dim_order(), "dim_order"));
    out.size_bytes = checked_size_bytes(*out.dtype, out.sizes, out.dim_order, "tensor_layout");
    return out;
  }

  void check_place(const PtdLayout& layout, std::uint32_t index) const {
    const FileRange& segment = out_.segments[index];
    if (layout.size_bytes > segment.size_bytes) {
      fail(ErrorCode::Malformed,
           fmt::format("it needs {} bytes, segment {} has {}",
                       layout.size_bytes,
                       index,
                       segment.size_bytes));
    }
    if (layout.size_bytes != 0 && segment.offset_bytes % layout.dtype->element_size_bytes != 0) {
      fail(ErrorCode::Malformed,
           fmt::format("segment {} is at offset {}, wanted a multiple of the {} bytes of a {}",
                       index,
                       segment.offset_bytes,
                       layout.dtype->element_size_bytes,
                       layout.dtype->name));
    }
  }

  FlatbufferWalk walk_;
  PtdFile& out_;
};

void check_keys_differ(const PtdFile& file) {
  std::unordered_set<std::string_view> keys;  // looked up only
  keys.reserve(file.entries.size());
  for (const PtdEntry& entry : file.entries) {
    if (!keys.insert(entry.key).second)
      fail(ErrorCode::Malformed, fmt::format("key '{}' is there twice", printable(entry.key)));
  }
}

void decode(Bytes flatbuffer, PtdFile& out) {
  const auto* const data =
      static_cast<const std::uint8_t*>(static_cast<const void*>(flatbuffer.data()));
  // A table needs 8 bytes: its offset to the vtable, and an offset that leads to it.
  const auto max_tables = static_cast<flatbuffers::uoffset_t>(flatbuffer.size() / 8 + 16);
  flatbuffers::Verifier verifier(data, flatbuffer.size(), kMaxDepth, max_tables);
  if (!fb::VerifyFlatTensorBuffer(verifier)) {
    fail(ErrorCode::Malformed,
         fmt::format("flatbuffer of {} bytes is broken or cut off: an offset, size or alignment in "
                     "it is wrong",
                     flatbuffer.size()));
  }
  Decoder(flatbuffer.size(), out).run(*fb::GetFlatTensor(data));
}

}  // namespace

PtdFile read_ptd(const InputFile& file) {
  const Breadcrumb here("data file", file.name());
  PtdFile out;
  out.size_bytes = file.size_bytes();
  check_file_needs(out, kMinFileBytes);
  read_header(file, out);
  check_header(out);
  decode(file.read_range(0, out.flatbuffer_end_bytes, kMaxFlatbufferBytes, "flatbuffer"), out);
  check_keys_differ(out);
  const bool has_data = out.segment_data_size_bytes != 0;
  check_segments(file,
                 out.flatbuffer_end_bytes,
                 has_data ? out.segment_base_bytes : out.flatbuffer_end_bytes,
                 out.segments,
                 out.warnings);
  return out;
}

}  // namespace ptec::inspect
