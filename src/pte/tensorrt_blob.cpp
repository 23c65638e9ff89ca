#include "pte/tensorrt_blob.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <set>

#include "layout/tensorrt_blob.h"
#include "support/byte_reader.h"
#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

TensorRtBlob read_header(const InputFile& file, const FileRange& range) {
  if (range.size_bytes < sizeof(TensorRtBlobHeader)) {
    fail(ErrorCode::Malformed,
         fmt::format("blob has {} bytes, its header needs {}",
                     range.size_bytes,
                     sizeof(TensorRtBlobHeader)));
  }
  std::array<std::byte, sizeof(TensorRtBlobHeader)> bytes{};
  file.read_at(range.offset_bytes, bytes);
  const auto header =
      ByteReader(bytes, range.offset_bytes).record<TensorRtBlobHeader>("blob header");
  TensorRtBlob out;
  out.magic.assign(header.magic.data(), header.magic.size());
  out.metadata_offset_bytes = header.metadata_offset;
  out.metadata_size_bytes = header.metadata_size;
  out.engine = {header.engine_offset, header.engine_size};
  if (out.magic != kTensorRtMagicPlain && out.magic != kTensorRtMagicAliased) {
    fail(ErrorCode::Malformed,
         fmt::format("blob's magic is '{}', wanted '{}' or '{}'",
                     printable(out.magic),
                     kTensorRtMagicPlain,
                     kTensorRtMagicAliased));
  }
  return out;
}

void check_layout(const TensorRtBlob& blob, std::uint64_t size) {
  const std::uint64_t metadata = blob.metadata_offset_bytes;
  const auto& [engine, engine_size] = blob.engine;
  if (metadata < sizeof(TensorRtBlobHeader)) {
    fail(ErrorCode::Malformed,
         fmt::format(
             "metadata_offset is {}, wanted at least {}", metadata, sizeof(TensorRtBlobHeader)));
  }
  if (engine % kTensorRtEngineAlignment != 0) {
    fail(ErrorCode::Malformed,
         fmt::format(
             "engine_offset is {}, wanted a multiple of {}", engine, kTensorRtEngineAlignment));
  }
  if (engine > size || engine_size > size - engine) {
    fail(ErrorCode::Malformed,
         fmt::format("engine of {} bytes at offset {} passes the end of the blob, which has {}",
                     engine_size,
                     engine,
                     size));
  }
  if (engine_size != size - engine) {
    fail(ErrorCode::Malformed,
         fmt::format("blob has {} bytes behind its engine, wanted none",
                     size - engine - engine_size));
  }
  if (metadata > engine || blob.metadata_size_bytes > engine - metadata) {
    fail(ErrorCode::Malformed,
         fmt::format("metadata of {} bytes at offset {} reaches into the engine at {}",
                     blob.metadata_size_bytes,
                     metadata,
                     engine));
  }
}

/// The value of a key that may be absent. A key that stands twice is refused: readers would
/// disagree on which one counts.
bool find_key(const object& in, std::string_view key, element& out) {
  int found = 0;
  for (const auto field : in) {
    if (field.key != key) continue;
    out = field.value;
    ++found;
  }
  if (found > 1) fail(ErrorCode::Malformed, fmt::format("metadata has the key '{}' twice", key));
  return found == 1;
}

template <typename T>
void take(const object& in, std::string_view key, std::string_view wanted, T& out) {
  element value;
  if (!find_key(in, key, value)) return;
  if (value.get(out) != simdjson::SUCCESS)
    fail(ErrorCode::Malformed, fmt::format("metadata's {} is not {}", key, wanted));
}

std::string take_text(const object& in, std::string_view key) {
  std::string_view out;
  take(in, key, "a string", out);
  return std::string(out);
}

template <typename Each>
void each_object(const object& in, std::string_view key, const Each& each) {
  simdjson::dom::array list;
  element value;
  if (!find_key(in, key, value)) return;
  if (value.get(list) != simdjson::SUCCESS)
    fail(ErrorCode::Malformed, fmt::format("metadata's {} is not a list", key));
  for (const element item : list) {
    object entry;
    if (item.get(entry) != simdjson::SUCCESS)
      fail(ErrorCode::Malformed,
           fmt::format("metadata's {} holds something that is no object", key));
    each(entry);
  }
}

void parse_bindings(const object& in, TensorRtBlob& out) {
  element ignored;
  if (!find_key(in, "io_bindings", ignored))
    fail(ErrorCode::Malformed, "metadata has no io_bindings");
  std::set<std::string> names;
  each_object(in, "io_bindings", [&](const object& entry) {
    const std::string name = take_text(entry, "name");
    if (name.empty())
      fail(ErrorCode::Malformed, "metadata's io_bindings has an entry without a name");
    if (!names.insert(name).second) {
      fail(ErrorCode::Malformed,
           fmt::format("metadata's io_bindings has '{}' twice", printable(name)));
    }
    bool is_input = false;
    take(entry, "is_input", "a bool", is_input);
    (is_input ? out.input_names : out.output_names).push_back(name);
  });
  each_object(in, "aliased_io", [&](const object& entry) {
    BlobAlias alias{
        take_text(entry, "output"), take_text(entry, "input"), take_text(entry, "kind")};
    if (alias.kind.empty()) alias.kind = "kv_cache_update";
    for (const auto& [name, list] :
         {std::pair(&alias.output, &out.output_names), std::pair(&alias.input, &out.input_names)}) {
      if (std::find(list->begin(), list->end(), *name) == list->end()) {
        fail(ErrorCode::Malformed,
             fmt::format("metadata's aliased_io names '{}', which is no such binding",
                         printable(*name)));
      }
    }
    out.aliased_io.push_back(std::move(alias));
  });
}

void parse_metadata(Bytes json, TensorRtBlob& out) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(as_text(json));
  object root;
  const auto error = parser.parse(padded).get(root);
  if (error != simdjson::SUCCESS) {
    fail(ErrorCode::Malformed,
         fmt::format("metadata is no JSON object: {}", simdjson::error_message(error)));
  }
  parse_bindings(root, out);
  take(root, "hardware_compatible", "a bool", out.hardware_compatible);
  take(root, "device_id", "an integer", out.device_id);
  out.serialized_metadata = take_text(root, "serialized_metadata");
  out.target_platform = take_text(root, "target_platform");
}

}  // namespace

TensorRtBlob read_tensorrt_blob(const InputFile& file, const FileRange& range) {
  TensorRtBlob out = read_header(file, range);
  check_layout(out, range.size_bytes);
  const std::vector<std::byte> json =
      file.read_range(range.offset_bytes + out.metadata_offset_bytes,
                      out.metadata_size_bytes,
                      kMaxRecordFieldBytes,
                      "blob metadata");
  parse_metadata(json, out);
  std::vector<std::byte> front(
      static_cast<std::size_t>(std::min<std::uint64_t>(kPlanHeaderBytes, out.engine.size_bytes)));
  file.read_at(range.offset_bytes + out.engine.offset_bytes, front);
  out.plan = read_plan_header(front);
  return out;
}

}  // namespace ptec::inspect
