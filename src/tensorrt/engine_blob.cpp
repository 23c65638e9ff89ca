#include "tensorrt/engine_blob.h"

#include <cstring>
#include <limits>

#include "layout/tensorrt_blob.h"
#include "support/bytes.h"
#include "support/error.h"
#include "support/json_text.h"
#include "tensorrt/hash_order.h"

namespace ptec::tensorrt {
namespace {

void append_bindings(std::string& json, const std::vector<std::string>& names, bool is_input) {
  for (const std::string& name : names) {
    if (json.back() != '[') json += ',';
    json += "{\"name\":";
    append_json_string(json, name);
    // The reference never fills dtype and shape in; readers ignore both.
    json += ",\"dtype\":\"\",\"shape\":[],\"is_input\":";
    json += is_input ? "true}" : "false}";
  }
}

}  // namespace

std::string engine_metadata_json(const EngineRecord& record,
                                 const std::vector<std::string>& input_names) {
  std::string json = "{\"io_bindings\":[";
  append_bindings(json, input_names, true);
  append_bindings(json, record.output_names, false);
  json += "],\"aliased_io\":[";
  std::vector<std::string_view> outputs;
  for (const EngineAlias& alias : record.aliased_io)
    outputs.push_back(record.output_names[alias.output]);
  // The reference keeps them in a hash map, and that map's order gets into the file.
  for (const std::size_t index : hash_map_order(outputs)) {
    const EngineAlias& alias = record.aliased_io[index];
    if (json.back() != '[') json += ',';
    json += "{\"output\":";
    append_json_string(json, record.output_names[alias.output]);
    json += ",\"input\":";
    append_json_string(json, record.input_names[alias.input]);
    json += ",\"kind\":";
    append_json_string(json, alias_kind_name(alias.kind));
    json += '}';
  }
  json += "],\"hardware_compatible\":";
  json += record.hardware_compatible ? "true" : "false";
  json += ",\"device_id\":" + std::to_string(record.device.id);
  json += ",\"serialized_metadata\":";
  append_json_string(json, record.metadata);
  json += ",\"target_platform\":";
  append_json_string(json, record.target_platform);
  json += '}';
  return json;
}

Blob make_engine_blob(const EngineRecord& record, const std::vector<std::string>& input_names) {
  const std::string json = engine_metadata_json(record, input_names);
  const std::uint64_t engine_offset =
      round_up(sizeof(TensorRtBlobHeader) + json.size(), kTensorRtEngineAlignment);
  if (engine_offset > std::numeric_limits<std::uint32_t>::max()) {
    fail(ErrorCode::Limit, "the engine's metadata is over 4 GiB, which its blob cannot hold");
  }
  TensorRtBlobHeader header{};
  const std::string_view magic =
      record.aliased_io.empty() ? kTensorRtMagicPlain : kTensorRtMagicAliased;
  std::memcpy(header.magic.data(), magic.data(), header.magic.size());
  header.metadata_offset = static_cast<std::uint32_t>(sizeof(TensorRtBlobHeader));
  header.metadata_size = static_cast<std::uint32_t>(json.size());
  header.engine_offset = static_cast<std::uint32_t>(engine_offset);
  header.engine_size = record.engine.size_bytes();
  header.reserved[0] = std::byte{1};

  std::vector<std::byte> front(engine_offset);
  std::memcpy(front.data(), &header, sizeof(header));
  std::memcpy(front.data() + sizeof(header), json.data(), json.size());
  Blob blob;
  blob.pieces.push_back(Payload::of_bytes(std::move(front)));
  blob.pieces.push_back(record.engine);
  return blob;
}

}  // namespace ptec::tensorrt
