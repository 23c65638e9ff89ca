#include "ptec/report.h"

#include "support/json_writer.h"

namespace ptec {
namespace {

void write_method(JsonWriter& json, const MethodReport& method) {
  json.begin_object();
  json.text("name", method.name);
  json.text("archive", method.archive);
  json.count("inputs", method.inputs);
  json.count("outputs", method.outputs);
  json.count("kernel_calls", method.kernel_calls);
  json.count("delegate_calls", method.delegate_calls);
  json.count("constants", method.constants);
  json.count("planned_bytes", method.planned_bytes);
  json.end_object();
}

}  // namespace

std::string report_json(const Report& report) {
  JsonWriter json;
  json.begin_object();
  json.key("outputs");
  json.begin_array();
  for (const OutputReport& output : report.outputs) {
    json.begin_object();
    json.text("path", output.path);
    json.count("bytes", output.size_bytes);
    json.end_object();
  }
  json.end_array();
  json.key("methods");
  json.begin_array();
  for (const MethodReport& method : report.methods) write_method(json, method);
  json.end_array();
  json.key("missing_kernels");
  json.begin_array();
  for (const MissingKernelReport& missing : report.missing_kernels) {
    json.begin_object();
    json.text("method", missing.method);
    json.text("kernel", missing.kernel);
    json.key("nodes");
    json.begin_array();
    for (const std::string& node : missing.nodes) json.text(node);
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.key("warnings");
  json.begin_array();
  for (const std::string& warning : report.warnings) json.text(warning);
  json.end_array();
  json.end_object();
  return json.finish();
}

}  // namespace ptec
