// Reads the bytes that TensorRTBackend gets, for whoever has them in memory: the inspector here,
// the delegate on a device. C++17; needs no exceptions, no RTTI and no memory but the caller's.
//
//   TensorRtBlobHead head;                                   // 1. the first 32 bytes
//   BlobError error = read_tensorrt_head(front, blob_size_bytes, head);
//   TensorRtBlobFacts facts;                                 // 2. all before the engine
//   error = read_tensorrt_metadata(front, head, facts);
//   TensorRtLists lists;                                     // 3. the lists, as long as the facts
//   lists.bindings = ...                                     //    say, in memory of whatever kind
//   error = read_tensorrt_lists(front, head, facts, lists);
//
// The format is in docs/formats/tensorrt_blob.md. The reading is strict: what no writer writes is a
// fault, so that two readers never see two things in one file. Keys that nobody knows are passed
// over. Source: Torch-TensorRT 2.14, executorch/serialization.py.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "layout/json_scan.h"
#include "layout/tensorrt_blob.h"

namespace ptec {

enum class BlobFault : std::uint8_t {
  None,
#define PTEC_BLOB_FAULT(id, text, has_numbers) id,
#include "layout/tensorrt_blob_faults.def"
};

/// What the fault is about.
enum class BlobField : std::uint8_t {
#define PTEC_BLOB_FIELD(id, text) id,
#include "layout/tensorrt_blob_faults.def"
};

struct BlobError {
  BlobFault fault = BlobFault::None;
  BlobField field = BlobField::Blob;
  std::uint64_t offset_bytes = 0;  // from the start of the blob
  std::uint64_t found = 0;         // of a number that is wrong
  std::uint64_t wanted = 0;        // and its bound
  bool ok() const { return fault == BlobFault::None; }
};

/// What is wrong, to stand behind the field: "is not a multiple of".
inline const char* blob_fault_text(BlobFault fault) {
  switch (fault) {
    case BlobFault::None:
      break;
#define PTEC_BLOB_FAULT(id, text, has_numbers) \
  case BlobFault::id:                          \
    return text;
#include "layout/tensorrt_blob_faults.def"
  }
  return "is right";
}

/// Whether the text stands between the numbers `found` and `wanted`.
inline bool blob_fault_has_numbers(BlobFault fault) {
  switch (fault) {
    case BlobFault::None:
      break;
#define PTEC_BLOB_FAULT(id, text, has_numbers) \
  case BlobFault::id:                          \
    return has_numbers;
#include "layout/tensorrt_blob_faults.def"
  }
  return false;
}

/// "engine_offset", "aliased_io" and so on.
inline const char* blob_field_name(BlobField field) {
  switch (field) {
#define PTEC_BLOB_FIELD(id, text) \
  case BlobField::id:             \
    return text;
#include "layout/tensorrt_blob_faults.def"
  }
  return "";
}

/// The header's numbers, proven to fit each other and the blob.
struct TensorRtBlobHead {
  bool aliased = false;  // TR02
  std::uint32_t metadata_offset_bytes = 0;
  std::uint32_t metadata_size_bytes = 0;
  std::uint32_t engine_offset_bytes = 0;  // a multiple of kTensorRtEngineAlignment
  std::uint64_t engine_size_bytes = 0;    // not 0; the engine ends the blob
};

/// What the metadata says but for its two lists. The texts lie in the bytes that were read.
struct TensorRtBlobFacts {
  std::uint32_t input_count = 0;
  std::uint32_t output_count = 0;
  std::uint32_t alias_count = 0;
  bool hardware_compatible = false;
  std::int64_t device_id = 0;    // a CUDA device; what is absent from the metadata is 0 or empty
  JsonText serialized_metadata;  // opaque text
  JsonText target_platform;
  std::uint32_t bindings_at_bytes = 0;  // of the lists' brackets, from the start of the metadata
  std::uint32_t aliases_at_bytes = 0;   // 0: there is none
  std::uint32_t binding_count() const { return input_count + output_count; }
};

struct TensorRtBinding {
  JsonText name;  // not empty, no zero byte, unlike every other
  bool is_input = false;
  bool is_aliased = false;  // shares its memory with an input or output
};

enum class TensorRtAliasKind : std::uint8_t { KvCacheUpdate, User };

/// An output that lies in the memory of an input. Both are indices of bindings.
struct TensorRtAlias {
  std::uint32_t output = 0;
  std::uint32_t input = 0;
  TensorRtAliasKind kind = TensorRtAliasKind::KvCacheUpdate;
};

/// Memory for the lists, the caller's.
struct TensorRtLists {
  TensorRtBinding* bindings = nullptr;  // binding_count()
  TensorRtAlias* aliases = nullptr;     // alias_count
  std::uint32_t* by_name = nullptr;     // binding_count(); afterwards the bindings' order by name
};

namespace tensorrt_blob {

/// The metadata on its way through the scanner.
class MetadataReader {
 public:
  MetadataReader(std::string_view json, std::uint64_t offset_bytes)
      : json_(json), offset_bytes_(offset_bytes), scan_(json) {}

  BlobError read_facts(TensorRtBlobFacts& out) {
    Seen seen{};
    if (!object(BlobField::Metadata, [&](const JsonText& key) { return member(key, out, seen); }))
      return error_;
    if (!scan_.at_end()) return syntax(BlobField::Metadata);
    if (!seen.bindings) return fault(BlobFault::Missing, BlobField::IoBindings, 0);
    return {};
  }

  BlobError read_lists(const TensorRtBlobFacts& facts, const TensorRtLists& lists) {
    TensorRtBinding* binding = lists.bindings;
    const auto keep = [&binding](const TensorRtBinding& read) {
      *binding++ = read;
      return true;
    };
    if (!list_at(facts.bindings_at_bytes, [&] { return bindings(keep); })) return error_;
    if (!sort_names(facts, lists)) return error_;
    if (facts.aliases_at_bytes == 0) return {};
    list_at(facts.aliases_at_bytes, [&] { return resolve_aliases(facts, lists); });
    return error_;
  }

 private:
  struct Seen {
    bool bindings, aliases, hardware, device, serialized, platform;
  };
  struct AliasText {
    JsonText output;
    JsonText input;
    TensorRtAliasKind kind = TensorRtAliasKind::KvCacheUpdate;
    std::size_t output_at = 0;
    std::size_t input_at = 0;
  };

  BlobError fault(BlobFault what, BlobField field, std::size_t at) {
    error_ = {what, field, offset_bytes_ + scanned_from_ + at, 0, 0};
    return error_;
  }
  bool wrong(BlobFault what, BlobField field, std::size_t at) {
    fault(what, field, at);
    return false;
  }
  BlobError syntax(BlobField field) {
    const JsonFault found = scan_.fault();
    return fault(found == JsonFault::BadText      ? BlobFault::BadText
                 : found == JsonFault::TooDeep    ? BlobFault::TooDeep
                 : found == JsonFault::OutOfRange ? BlobFault::OutOfRange
                                                  : BlobFault::Syntax,
                 field,
                 scan_.offset_bytes());
  }
  /// Passes on what the scanner says.
  bool checked(bool scanned, BlobField field) {
    if (!scanned) syntax(field);
    return scanned;
  }

  std::size_t here() {
    static_cast<void>(scan_.peek());
    return scan_.offset_bytes();
  }

  bool text(BlobField field, JsonText& out) {
    if (scan_.peek() != '"') return wrong(BlobFault::NoText, field, here());
    return checked(scan_.text(out), field);
  }
  bool boolean(BlobField field, bool& out) {
    const char first = scan_.peek();
    if (first != 't' && first != 'f') return wrong(BlobFault::NoBool, field, here());
    return checked(scan_.boolean(out), field);
  }
  bool integer(BlobField field, std::int64_t& out) {
    const char first = scan_.peek();
    if (first != '-' && !json_scan::is_digit(first))
      return wrong(BlobFault::NoInteger, field, here());
    return checked(scan_.integer(out), field);
  }
  /// A text that says which binding is meant.
  bool name(BlobField field, JsonText& out) {
    const std::size_t at = here();
    if (!text(field, out)) return false;
    if (out.empty()) return wrong(BlobFault::Empty, field, at);
    if (out.has_zero()) return wrong(BlobFault::HasZero, field, at);
    return true;
  }

  /// Each member's value is read by `member(key)`.
  template <typename Member>
  bool object(BlobField field, const Member& member) {
    if (scan_.peek() != '{') return wrong(BlobFault::NoObject, field, here());
    if (!checked(scan_.expect('{'), field)) return false;
    if (scan_.take_if('}')) return true;
    do {
      JsonText key;
      if (!checked(scan_.text(key) && scan_.expect(':'), field) || !member(key)) return false;
    } while (scan_.next_item('}'));
    return checked(scan_.fault() == JsonFault::None, field);
  }

  template <typename Item>
  bool list(BlobField field, const Item& item) {
    if (scan_.peek() != '[') return wrong(BlobFault::NoList, field, here());
    if (!checked(scan_.expect('['), field)) return false;
    if (scan_.take_if(']')) return true;
    do {
      if (!item()) return false;
    } while (scan_.next_item(']'));
    return checked(scan_.fault() == JsonFault::None, field);
  }

  /// A key that stands twice is refused: readers would disagree on which one counts.
  bool once(bool& seen, BlobField field) {
    if (seen) return wrong(BlobFault::Repeated, field, scan_.offset_bytes());
    seen = true;
    return true;
  }

  bool member(const JsonText& key, TensorRtBlobFacts& out, Seen& seen) {
    if (key == "io_bindings") {
      if (!once(seen.bindings, BlobField::IoBindings)) return false;
      out.bindings_at_bytes = static_cast<std::uint32_t>(here());
      return bindings([&out](const TensorRtBinding& binding) {
        ++(binding.is_input ? out.input_count : out.output_count);
        return true;
      });
    }
    if (key == "aliased_io") {
      if (!once(seen.aliases, BlobField::AliasedIo)) return false;
      out.aliases_at_bytes = static_cast<std::uint32_t>(here());
      return aliases([&out](const AliasText&) {
        ++out.alias_count;
        return true;
      });
    }
    if (key == "hardware_compatible")
      return once(seen.hardware, BlobField::HardwareCompatible) &&
             boolean(BlobField::HardwareCompatible, out.hardware_compatible);
    if (key == "device_id")
      return once(seen.device, BlobField::DeviceId) && integer(BlobField::DeviceId, out.device_id);
    if (key == "serialized_metadata")
      return once(seen.serialized, BlobField::SerializedMetadata) &&
             text(BlobField::SerializedMetadata, out.serialized_metadata);
    if (key == "target_platform")
      return once(seen.platform, BlobField::TargetPlatform) &&
             text(BlobField::TargetPlatform, out.target_platform);
    return checked(scan_.skip_value(), BlobField::Metadata);
  }

  /// Calls `take(binding)` for each entry of io_bindings. What has no is_input is an output,
  /// as the reference's reader has it.
  template <typename Take>
  bool bindings(const Take& take) {
    return list(BlobField::IoBindings, [&] {
      const std::size_t at = here();
      TensorRtBinding binding;
      bool has_name = false;
      bool has_direction = false;
      const bool read = object(BlobField::IoBindings, [&](const JsonText& key) {
        if (key == "name")
          return once(has_name, BlobField::BindingName) &&
                 name(BlobField::BindingName, binding.name);
        if (key == "is_input")
          return once(has_direction, BlobField::BindingIsInput) &&
                 boolean(BlobField::BindingIsInput, binding.is_input);
        return checked(scan_.skip_value(), BlobField::IoBindings);
      });
      if (!read) return false;
      if (!has_name) return wrong(BlobFault::Missing, BlobField::BindingName, at);
      return take(binding);
    });
  }

  /// Calls `take(alias)` for each entry of aliased_io.
  template <typename Take>
  bool aliases(const Take& take) {
    return list(BlobField::AliasedIo, [&] {
      const std::size_t at = here();
      AliasText alias;
      bool has_output = false;
      bool has_input = false;
      bool has_kind = false;
      const bool read = object(BlobField::AliasedIo, [&](const JsonText& key) {
        if (key == "output") {
          alias.output_at = here();
          return once(has_output, BlobField::AliasOutput) &&
                 name(BlobField::AliasOutput, alias.output);
        }
        if (key == "input") {
          alias.input_at = here();
          return once(has_input, BlobField::AliasInput) && name(BlobField::AliasInput, alias.input);
        }
        if (key == "kind") return once(has_kind, BlobField::AliasKind) && kind(alias.kind);
        return checked(scan_.skip_value(), BlobField::AliasedIo);
      });
      if (!read) return false;
      if (!has_output) return wrong(BlobFault::Missing, BlobField::AliasOutput, at);
      if (!has_input) return wrong(BlobFault::Missing, BlobField::AliasInput, at);
      return take(alias);
    });
  }

  bool kind(TensorRtAliasKind& out) {
    const std::size_t at = here();
    JsonText word;
    if (!text(BlobField::AliasKind, word)) return false;
    if (word != "kv_cache_update" && word != "user")
      return wrong(BlobFault::UnknownKind, BlobField::AliasKind, at);
    out = word == "user" ? TensorRtAliasKind::User : TensorRtAliasKind::KvCacheUpdate;
    return true;
  }

  /// Reads a list that read_facts has been over.
  template <typename Read>
  bool list_at(std::size_t at, const Read& read) {
    scanned_from_ = at;
    scan_ = JsonScanner(json_.substr(at));
    return read();
  }

  bool sort_names(const TensorRtBlobFacts& facts, const TensorRtLists& lists) {
    const std::uint32_t count = facts.binding_count();
    for (std::uint32_t i = 0; i < count; ++i) lists.by_name[i] = i;
    std::sort(lists.by_name, lists.by_name + count, [&lists](std::uint32_t a, std::uint32_t b) {
      const int order = lists.bindings[a].name.compare(lists.bindings[b].name);
      return order != 0 ? order < 0 : a < b;
    });
    const std::uint32_t* repeat = nullptr;  // the first one in the file
    for (std::uint32_t i = 1; i < count; ++i) {
      const std::uint32_t* at = lists.by_name + i;
      if (lists.bindings[at[-1]].name.compare(lists.bindings[at[0]].name) != 0) continue;
      if (repeat == nullptr || *at < *repeat) repeat = at;
    }
    if (repeat == nullptr) return true;
    const char* const raw = lists.bindings[*repeat].name.raw().data();
    const std::size_t quote = static_cast<std::size_t>(raw - json_.data()) - 1;
    return wrong(BlobFault::Repeated, BlobField::BindingName, quote - scanned_from_);
  }

  /// The binding of that name and direction; `count` when there is none.
  static std::uint32_t find(const TensorRtLists& lists,
                            std::uint32_t count,
                            const JsonText& name,
                            bool is_input) {
    const std::uint32_t* const end = lists.by_name + count;
    const std::uint32_t* const found =
        std::lower_bound(static_cast<const std::uint32_t*>(lists.by_name),
                         end,
                         name,
                         [&lists](std::uint32_t binding, const JsonText& wanted) {
                           return lists.bindings[binding].name.compare(wanted) < 0;
                         });
    if (found == end) return count;
    const TensorRtBinding& binding = lists.bindings[*found];
    return binding.name.compare(name) == 0 && binding.is_input == is_input ? *found : count;
  }

  bool resolve_aliases(const TensorRtBlobFacts& facts, const TensorRtLists& lists) {
    const std::uint32_t count = facts.binding_count();
    TensorRtAlias* next = lists.aliases;
    return aliases([&](const AliasText& text) {
      const std::uint32_t output = find(lists, count, text.output, false);
      if (output == count) return wrong(BlobFault::Unknown, BlobField::AliasOutput, text.output_at);
      const std::uint32_t input = find(lists, count, text.input, true);
      if (input == count) return wrong(BlobFault::Unknown, BlobField::AliasInput, text.input_at);
      if (lists.bindings[output].is_aliased)
        return wrong(BlobFault::Repeated, BlobField::AliasOutput, text.output_at);
      lists.bindings[output].is_aliased = true;
      lists.bindings[input].is_aliased = true;
      *next++ = {output, input, text.kind};
      return true;
    });
  }

  std::string_view json_;
  std::uint64_t offset_bytes_;    // of the metadata in the blob
  std::size_t scanned_from_ = 0;  // where in the metadata the scanner began
  JsonScanner scan_;
  BlobError error_;
};

/// Offset of the first byte from `begin` on that is not zero; `end` when there is none.
inline std::size_t skip_zeros(std::string_view bytes, std::size_t begin, std::size_t end) {
  while (begin != end && bytes[begin] == 0) ++begin;
  return begin;
}

}  // namespace tensorrt_blob

/// Reads the header. `front` begins with the blob's first bytes; 32 of them are enough. Sizes are
/// compared without adding, so that none can wrap.
inline BlobError read_tensorrt_head(std::string_view front,
                                    std::uint64_t blob_size_bytes,
                                    TensorRtBlobHead& out) {
  out = {};
  constexpr std::uint64_t kHeaderBytes = sizeof(TensorRtBlobHeader);
  if (front.size() < kHeaderBytes || blob_size_bytes < kHeaderBytes) {
    const std::uint64_t size = std::min<std::uint64_t>(front.size(), blob_size_bytes);
    return {BlobFault::TooShort, BlobField::Blob, 0, size, kHeaderBytes};
  }
  TensorRtBlobHeader header;
  std::memcpy(&header, front.data(), sizeof(header));
  const std::string_view magic(header.magic.data(), header.magic.size());
  out.aliased = magic == kTensorRtMagicAliased;
  if (!out.aliased && magic != kTensorRtMagicPlain)
    return {BlobFault::UnknownMagic, BlobField::Magic, 0, 0, 0};
  out.metadata_offset_bytes = header.metadata_offset;
  out.metadata_size_bytes = header.metadata_size;
  out.engine_offset_bytes = header.engine_offset;
  out.engine_size_bytes = header.engine_size;

  constexpr auto at = [](std::size_t offset) { return std::uint64_t{offset}; };
  const std::uint64_t metadata = out.metadata_offset_bytes;
  const std::uint64_t engine = out.engine_offset_bytes;
  if (metadata < kHeaderBytes)
    return {BlobFault::BelowHeader, BlobField::MetadataOffset, at(4), metadata, kHeaderBytes};
  if (engine % kTensorRtEngineAlignment != 0)
    return {
        BlobFault::Misaligned, BlobField::EngineOffset, at(12), engine, kTensorRtEngineAlignment};
  if (engine > blob_size_bytes)
    return {BlobFault::PastEnd, BlobField::EngineOffset, at(12), engine, blob_size_bytes};
  const std::uint64_t room = blob_size_bytes - engine;
  if (out.engine_size_bytes > room)
    return {BlobFault::PastEnd, BlobField::EngineSize, at(16), out.engine_size_bytes, room};
  if (out.engine_size_bytes < room)
    return {BlobFault::TrailingBytes, BlobField::EngineSize, at(16), out.engine_size_bytes, room};
  if (room == 0) return {BlobFault::Empty, BlobField::EngineSize, at(16), 0, 0};
  if (metadata > engine)
    return {BlobFault::Overlap, BlobField::MetadataOffset, at(4), metadata, engine};
  if (out.metadata_size_bytes > engine - metadata)
    return {BlobFault::Overlap,
            BlobField::MetadataSize,
            at(8),
            out.metadata_size_bytes,
            engine - metadata};
  // The reference writes a one that means nothing.
  for (std::size_t i = 0; i < header.reserved.size(); ++i) {
    const auto byte = static_cast<std::uint64_t>(header.reserved[i]);
    const std::uint64_t most = i == 0 ? 1 : 0;
    if (byte > most) return {BlobFault::NotZero, BlobField::Reserved, at(24) + i, byte, most};
  }
  return {};
}

/// Reads all of the metadata but what is in its lists, which are counted. `front` has all bytes
/// before the engine at least; `head` is that of the same bytes.
inline BlobError read_tensorrt_metadata(std::string_view front,
                                        const TensorRtBlobHead& head,
                                        TensorRtBlobFacts& out) {
  out = {};
  if (front.size() < head.engine_offset_bytes)
    return {BlobFault::TooShort, BlobField::Blob, 0, front.size(), head.engine_offset_bytes};
  const std::size_t begin = head.metadata_offset_bytes;
  const std::size_t end = begin + head.metadata_size_bytes;  // at most engine_offset_bytes
  const std::pair<std::size_t, std::size_t> gaps[] = {{sizeof(TensorRtBlobHeader), begin},
                                                      {end, head.engine_offset_bytes}};
  for (const auto& [gap, behind] : gaps) {
    const std::size_t at = tensorrt_blob::skip_zeros(front, gap, behind);
    if (at != behind) {
      const auto byte = static_cast<std::uint64_t>(static_cast<unsigned char>(front[at]));
      return {BlobFault::NotZero, BlobField::Padding, at, byte, 0};
    }
  }
  const std::string_view json(front.data() + begin, head.metadata_size_bytes);
  const BlobError error = tensorrt_blob::MetadataReader(json, begin).read_facts(out);
  if (!error.ok()) return error;
  if (head.aliased != (out.alias_count != 0))
    return {BlobFault::WrongMagic, BlobField::Magic, 0, 0, 0};
  return {};
}

/// Reads the lists into the caller's memory. `front`, `head` and `facts` as above. Takes time in
/// N log N of the number of bindings. After a fault the lists hold anything.
inline BlobError read_tensorrt_lists(std::string_view front,
                                     const TensorRtBlobHead& head,
                                     const TensorRtBlobFacts& facts,
                                     const TensorRtLists& lists) {
  const std::string_view json(front.data() + head.metadata_offset_bytes, head.metadata_size_bytes);
  return tensorrt_blob::MetadataReader(json, head.metadata_offset_bytes).read_lists(facts, lists);
}

}  // namespace ptec
