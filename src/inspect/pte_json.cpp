#include <fmt/format.h>

#include "inspect/describe.h"
#include "inspect/facts.h"
#include "support/json_writer.h"

namespace ptec::inspect {
namespace {

constexpr std::uint64_t kFormatVersion = 1;  // of this JSON; docs/formats/inspect.md

void write_range(JsonWriter& json, const FileRange& range) {
  json.count("offset_bytes", range.offset_bytes);
  json.count("size_bytes", range.size_bytes);
}

template <typename Items, typename Each>
void write_list(JsonWriter& json, std::string_view name, const Items& items, const Each& each) {
  json.key(name);
  json.begin_array();
  for (const auto& item : items) each(item);
  json.end_array();
}

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  write_list(json, name, texts, [&json](const std::string& text) { json.text(text); });
}

template <typename Items>
void write_numbers(JsonWriter& json, std::string_view name, const Items& items) {
  write_list(
      json, name, items, [&json](auto item) { json.number(static_cast<std::int64_t>(item)); });
}

void write_tensor(JsonWriter& json, const PteTensor& tensor) {
  json.text("dtype", tensor.dtype->name);
  write_numbers(json, "sizes", tensor.sizes);
  write_numbers(json, "dim_order", tensor.dim_order);
  json.boolean("dynamic", tensor.dynamic);
  json.text("device", device_text(tensor.device));
  json.count("size_bytes", tensor.size_bytes);
  if (tensor.allocation) {
    json.key("memory");
    json.begin_object();
    json.count("arena", tensor.allocation->memory_id);
    json.count("offset_bytes", tensor.allocation->offset_bytes);
    json.end_object();
  }
  if (tensor.data) {
    json.key("data");
    json.begin_object();
    write_range(json, *tensor.data);
    json.end_object();
  }
  if (!tensor.fully_qualified_name.empty())
    json.text("fully_qualified_name", tensor.fully_qualified_name);
  json.boolean("external", tensor.external);
}

void write_value(JsonWriter& json, const PteValue& value) {
  json.begin_object();
  json.text("kind", value_kind_name(value));
  if (const auto* tensor = std::get_if<PteTensor>(&value)) {
    write_tensor(json, *tensor);
  } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
    json.number("value", *number);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    json.boolean("value", *flag);
  } else if (const auto* real = std::get_if<double>(&value)) {
    json.key("value");
    json.real(*real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    json.text("value", *text);
  } else if (const auto* ints = std::get_if<PteIntList>(&value)) {
    write_numbers(json, "values", ints->values);
  } else if (const auto* tensors = std::get_if<PteTensorList>(&value)) {
    write_numbers(json, "values", tensors->values);
  } else if (const auto* optionals = std::get_if<PteOptionalTensorList>(&value)) {
    write_numbers(json, "values", optionals->values);
  } else if (const auto* doubles = std::get_if<PteDoubleList>(&value)) {
    write_list(json, "items", doubles->items, [&json](double item) { json.real(item); });
  } else if (const auto* bools = std::get_if<PteBoolList>(&value)) {
    write_list(json, "items", bools->items, [&json](bool item) { json.boolean(item); });
  }
  json.end_object();
}

void write_instruction(JsonWriter& json, const PtePlan& plan, const PteInstruction& instruction) {
  json.begin_object();
  if (const auto* call = std::get_if<PteKernelCall>(&instruction)) {
    json.text("kind", "kernel");
    json.text("operator", plan.operators[call->op_index].full_name());
    write_numbers(json, "args", call->args);
  } else if (const auto* delegate = std::get_if<PteDelegateCall>(&instruction)) {
    json.text("kind", "delegate");
    json.count("delegate", delegate->delegate_index);
    write_numbers(json, "args", delegate->args);
  } else if (const auto* move = std::get_if<PteMove>(&instruction)) {
    json.text("kind", "move");
    json.count("from", move->from);
    json.count("to", move->to);
  } else if (const auto* jump = std::get_if<PteJumpFalse>(&instruction)) {
    json.text("kind", "jump_false");
    json.count("condition", jump->condition);
    json.count("destination", jump->destination);
  } else if (const auto* free = std::get_if<PteFree>(&instruction)) {
    json.text("kind", "free");
    json.count("value", free->value);
  }
  json.end_object();
}

void write_blob(JsonWriter& json, const TensorRtBlob& blob) {
  json.key("tensorrt");
  json.begin_object();
  json.text("magic", blob.magic);
  write_texts(json, "inputs", blob.input_names);
  write_texts(json, "outputs", blob.output_names);
  write_list(json, "aliased_io", blob.aliased_io, [&json](const BlobAlias& alias) {
    json.begin_object();
    json.text("output", alias.output);
    json.text("input", alias.input);
    json.text("kind", alias.kind);
    json.end_object();
  });
  json.boolean("hardware_compatible", blob.hardware_compatible);
  json.number("device_id", blob.device_id);
  json.text("target_platform", blob.target_platform);
  json.count("metadata_size_bytes", blob.metadata_size_bytes);
  json.count("engine_offset_bytes", blob.engine.offset_bytes);
  json.count("engine_size_bytes", blob.engine.size_bytes);
  json.text("engine_magic", blob.plan.magic);
  json.text("engine_product", blob.plan.product);
  json.text("engine_version", blob.plan.version);
  json.end_object();
}

void write_delegate(JsonWriter& json, const PteDelegate& delegate, const PteDelegateFacts& facts) {
  json.begin_object();
  json.text("backend", delegate.backend_id);
  json.text("location", delegate.inline_data ? "inline" : "segment");
  json.count("index", delegate.index);
  write_range(json, delegate.blob);
  json.count("shared_by", facts.shared_by);
  write_list(json, "compile_specs", delegate.compile_specs, [&json](const PteCompileSpec& spec) {
    json.begin_object();
    json.text("key", spec.key);
    json.text("value", spec.value);
    json.end_object();
  });
  if (facts.blob) write_blob(json, *facts.blob);
  json.end_object();
}

void write_plan(JsonWriter& json, const PtePlan& plan, const PtePlanFacts& facts) {
  json.begin_object();
  json.text("name", plan.name);
  write_numbers(json, "inputs", plan.inputs);
  write_numbers(json, "outputs", plan.outputs);
  json.text("input_tree", plan.encoded_inputs);
  json.text("output_tree", plan.encoded_outputs);
  write_list(
      json, "values", plan.values, [&json](const PteValue& value) { write_value(json, value); });
  write_list(json, "operators", plan.operators, [&json](const PteOperator& op) {
    json.text(op.full_name());
  });
  write_list(json, "chains", plan.chains, [&](const std::vector<PteInstruction>& chain) {
    json.begin_array();
    for (const PteInstruction& instruction : chain) write_instruction(json, plan, instruction);
    json.end_array();
  });
  json.key("delegates");
  json.begin_array();
  for (std::size_t i = 0; i < plan.delegates.size(); ++i)
    write_delegate(json, plan.delegates[i], facts.delegates[i]);
  json.end_array();
  write_list(json, "arenas", plan.arenas, [&json](const PteArena& arena) {
    json.begin_object();
    json.count("size_bytes", arena.size_bytes);
    json.text("device", device_text(arena.device));
    json.end_object();
  });
  write_list(json, "copies", facts.copies.each, [&json](const PteCopy& copy) {
    json.begin_object();
    json.count("chain", copy.chain);
    json.count("instruction", copy.instruction);
    json.text("direction", copy.to_device ? "to device" : "to host");
    json.text("device", device_text(copy.device));
    json.number("from", copy.source);
    json.number("to", copy.destination);
    json.count("size_bytes", copy.size_bytes);
    json.end_object();
  });
  json.count("copied_to_device_bytes", facts.copies.to_device_bytes);
  json.count("copied_to_host_bytes", facts.copies.to_host_bytes);
  write_numbers(json, "state", facts.state);
  json.end_object();
}

}  // namespace

std::string pte_json(const PteFacts& facts) {
  JsonWriter json;
  json.begin_object();
  json.count("format_version", kFormatVersion);
  json.text("kind", "pte");
  json.count("size_bytes", facts.file.size_bytes);
  write_texts(json, "warnings", facts.file.warnings);
  json.count("program_version", facts.file.version);
  write_list(json, "regions", facts.regions, [&json](const PteRegion& region) {
    json.begin_object();
    write_range(json, region.range);
    json.text("what", region.what);
    json.end_object();
  });
  write_list(json, "segments", facts.file.segments, [&json](const FileRange& range) {
    json.begin_object();
    write_range(json, range);
    json.end_object();
  });
  write_list(json, "named_data", facts.file.named_data, [&json](const PteNamedData& named) {
    json.begin_object();
    json.text("key", named.key);
    json.count("segment", named.segment);
    json.end_object();
  });
  json.key("methods");
  json.begin_array();
  for (std::size_t i = 0; i < facts.file.plans.size(); ++i)
    write_plan(json, facts.file.plans[i], facts.plans[i]);
  json.end_array();
  json.end_object();
  return json.finish();
}

}  // namespace ptec::inspect
