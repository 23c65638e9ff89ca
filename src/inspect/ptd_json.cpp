#include "inspect/facts.h"
#include "support/json_writer.h"

namespace ptec::inspect {
namespace {

constexpr std::uint64_t kFormatVersion = 1;  // of this JSON; docs/formats/inspect.md

void write_range(JsonWriter& json, const FileRange& range) {
  json.count("offset_bytes", range.offset_bytes);
  json.count("size_bytes", range.size_bytes);
}

template <typename Numbers>
void write_numbers(JsonWriter& json, std::string_view name, const Numbers& numbers) {
  json.key(name);
  json.begin_array();
  for (const auto number : numbers) json.number(number);
  json.end_array();
}

void write_entry(JsonWriter& json, const PtdEntry& entry) {
  json.begin_object();
  json.text("key", entry.key);
  json.count("segment", entry.segment);
  if (entry.layout) {
    json.text("dtype", entry.layout->dtype->name);
    write_numbers(json, "sizes", entry.layout->sizes);
    write_numbers(json, "dim_order", entry.layout->dim_order);
    json.count("size_bytes", entry.layout->size_bytes);
  }
  json.end_object();
}

}  // namespace

std::string ptd_json(const PtdFacts& facts) {
  JsonWriter json;
  json.begin_object();
  json.count("format_version", kFormatVersion);
  json.text("kind", "ptd");
  json.count("size_bytes", facts.file.size_bytes);
  json.key("warnings");
  json.begin_array();
  for (const std::string& warning : facts.file.warnings) json.text(warning);
  json.end_array();
  json.key("regions");
  json.begin_array();
  for (const PteRegion& region : facts.regions) {
    json.begin_object();
    write_range(json, region.range);
    json.text("what", region.what);
    json.end_object();
  }
  json.end_array();
  json.key("segments");
  json.begin_array();
  for (const FileRange& range : facts.file.segments) {
    json.begin_object();
    write_range(json, range);
    json.end_object();
  }
  json.end_array();
  json.key("tensors");
  json.begin_array();
  for (const PtdEntry& entry : facts.file.entries) write_entry(json, entry);
  json.end_array();
  json.end_object();
  return json.finish();
}

}  // namespace ptec::inspect
