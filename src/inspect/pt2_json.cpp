#include "inspect/describe.h"
#include "inspect/facts.h"
#include "inspect/pt2_words.h"
#include "support/json_writer.h"

namespace ptec::inspect {
namespace {

constexpr std::uint64_t kFormatVersion = 1;  // of this JSON; docs/formats/inspect.md

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name);
  json.begin_array();
  for (const std::string& text : texts) json.text(text);
  json.end_array();
}

/// Sizes are numbers, or text where they depend on symbols.
void write_sizes(JsonWriter& json,
                 std::string_view name,
                 const Program& program,
                 const std::vector<Dim>& sizes) {
  json.key(name);
  json.begin_array();
  for (const Dim& size : sizes) {
    if (size.is_number()) {
      json.number(size.number());
    } else {
      json.text(program.exprs.print(size));
    }
  }
  json.end_array();
}

void write_tensor(JsonWriter& json, const Program& program, const TensorMeta& meta) {
  json.text("dtype", info(meta.dtype).name);
  write_sizes(json, "sizes", program, meta.sizes);
  json.text("device",
            meta.device.index ? meta.device.type + ":" + std::to_string(*meta.device.index)
                              : meta.device.type);
}

void write_inputs(JsonWriter& json, const Program& program) {
  json.key("inputs");
  json.begin_array();
  for (const InputSpec& input : program.inputs) {
    json.begin_object();
    json.text("kind", input_kind_name(input.kind));
    json.text("name", input.node == kNoNode ? input.name : program.graph.at(input.node).name);
    if (!input.target.empty()) json.text("target", input.target);
    if (input.node != kNoNode) {
      const Value& value = program.graph.at(input.node).value;
      json.text("type", item_text(program, value));
      if (const TensorMeta* meta = value.tensor()) write_tensor(json, program, *meta);
    }
    const auto data = program.tensors.find(input.target);
    if (data != program.tensors.end()) json.count("size_bytes", tensor_size_bytes(data->second));
    json.end_object();
  }
  json.end_array();
}

void write_outputs(JsonWriter& json, const Program& program) {
  json.key("outputs");
  json.begin_array();
  const NodeId last = program.graph.last();
  const Argument::List* results = last == kNoNode || program.graph.at(last).args.empty()
                                      ? nullptr
                                      : program.graph.at(last).args[0].list();
  for (std::size_t i = 0; results != nullptr && i < results->size() && i < program.outputs.size();
       ++i) {
    json.begin_object();
    json.text("kind", output_kind_name(program.outputs[i].kind));
    if (!program.outputs[i].target.empty()) json.text("target", program.outputs[i].target);
    json.text("type", result_text(program, (*results)[i]));
    const NodeId* node = (*results)[i].node();
    const TensorMeta* meta = node == nullptr ? nullptr : program.graph.at(*node).value.tensor();
    if (meta != nullptr) write_tensor(json, program, *meta);
    json.end_object();
  }
  json.end_array();
}

void write_ranges(JsonWriter& json, const Program& program) {
  json.key("ranges");
  json.begin_object();
  for (const auto& [symbol, range] : program.ranges) {
    json.key(symbol);
    json.begin_object();
    if (range.min) json.number("min", *range.min);
    if (range.max) json.number("max", *range.max);
    json.end_object();
  }
  json.end_object();
}

void write_device(JsonWriter& json, const tensorrt::EngineDevice& device) {
  json.key("device");
  json.begin_object();
  json.number("id", device.id);
  json.text("name", device.name);
  json.text("compute_capability",
            std::to_string(device.major) + "." + std::to_string(device.minor));
  json.text("type", device.type == 0 ? "gpu" : "dla");
  json.end_object();
}

void write_engine(JsonWriter& json, const EngineFacts& engine) {
  const tensorrt::EngineRecord& record = engine.record;
  json.begin_object();
  json.text("fqn", engine.fqn);
  json.text("encoding", archive::engine_encoding_name(engine.encoding));
  json.number("abi_version", record.abi_version);
  json.text("name", record.name);
  write_device(json, record.device);
  json.text("target_platform", record.target_platform);
  json.count("size_bytes", record.engine.size_bytes());
  json.text("magic", engine.plan.magic);
  json.text("product", engine.plan.product);
  json.text("version", engine.plan.version);
  write_texts(json, "inputs", record.input_names);
  write_texts(json, "outputs", record.output_names);
  json.key("aliased_io");
  json.begin_array();
  for (const tensorrt::EngineAlias& alias : record.aliased_io) {
    json.begin_object();
    json.text("output", record.output_names[alias.output]);
    json.text("input", record.input_names[alias.input]);
    json.text("kind", tensorrt::alias_kind_name(alias.kind));
    json.end_object();
  }
  json.end_array();
  json.boolean("hardware_compatible", record.hardware_compatible);
  json.boolean("requires_output_allocator", record.requires_output_allocator);
  json.boolean("dynamic_resource_allocation", record.dynamic_resource_allocation);
  json.boolean("multi_device", record.multi_device);
  write_texts(json, "used_by", engine.users);
  json.end_object();
}

void write_model(JsonWriter& json, const ModelFacts& model) {
  json.begin_object();
  json.text("name", model.name);
  json.text("torch_version", model.program.torch_version);
  write_texts(json, "verifiers", model.program.verifiers);
  json.count("node_count", model.program.graph.size());
  write_inputs(json, model.program);
  write_outputs(json, model.program);
  write_ranges(json, model.program);
  json.key("operators");
  json.begin_object();
  for (const auto& [target, count] : model.operators) json.count(target, count);
  json.end_object();
  json.key("engines");
  json.begin_array();
  for (const EngineFacts& engine : model.engines) write_engine(json, engine);
  json.end_array();
  json.end_object();
}

}  // namespace

std::string pt2_json(const Pt2Facts& facts) {
  JsonWriter json;
  json.begin_object();
  json.count("format_version", kFormatVersion);
  json.text("kind", "pt2");
  json.count("size_bytes", facts.archive.file().size_bytes());
  json.text("root", facts.archive.root());
  json.count("member_count", facts.archive.entries().size());
  json.key("programs");
  json.begin_array();
  for (const ModelFacts& model : facts.models) write_model(json, model);
  json.end_array();
  json.end_object();
  return json.finish();
}

}  // namespace ptec::inspect
