#include "tests/support/program_json.h"

#include <fmt/format.h>

#include <cstddef>

namespace ptec::test {
namespace {

constexpr std::string_view kLeaf = R"({\"type\": null, \"context\": null, \"children_spec\": []})";

std::string join(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) append_item(out, item);
  return out;
}

std::string leaves(std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) append_item(out, kLeaf);
  return out;
}

std::string tuple_spec(const std::string& children) {
  return R"({\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [)" +
         children + "]}";
}

std::string in_spec(std::size_t count) {
  return "[1, " +
         tuple_spec(
             tuple_spec(leaves(count)) +
             R"(, {\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []})") +
         "]";
}

std::string out_spec(std::size_t count) {
  return "[1, " + (count == 1 ? std::string(kLeaf) : tuple_spec(leaves(count))) + "]";
}

}  // namespace

std::string tensor_meta_json(int rows, int columns, std::string_view device) {
  return fmt::format(
      R"({{"dtype": 7, "sizes": [{{"as_int": {}}}, {{"as_int": {}}}], "requires_grad": false, )"
      R"("device": {{"type": "{}", "index": {}}}, "strides": [{{"as_int": {}}}, {{"as_int": 1}}], )"
      R"("storage_offset": {{"as_int": 0}}, "layout": 7}})",
      rows,
      columns,
      device,
      device == "cuda" ? "0" : "null",
      columns);
}

void append_item(std::string& list, std::string_view item) {
  if (!list.empty()) list += ", ";
  list += item;
}

std::string finish_program_json(const ProgramJson& program) {
  std::vector<std::string> names;
  for (const std::string& name : program.forward_arg_names) names.push_back('"' + name + '"');
  std::string out;
  out.reserve(program.nodes.size() + program.tensor_values.size() + 4096);
  out += R"({"graph_module": {"graph": {"inputs": [)" + join(program.inputs);
  out += R"(], "outputs": [)" + join(program.outputs);
  out += R"(], "nodes": [)";
  out += program.nodes;
  out += R"(], "tensor_values": {)";
  out += program.tensor_values;
  out += R"(}, "sym_int_values": {}, "sym_bool_values": {}, "is_single_tensor_return": false, )";
  out += R"("custom_obj_values": {)" + program.custom_obj_values;
  out +=
      R"(}, "sym_float_values": {}}, "signature": {"input_specs": [)" + join(program.input_specs);
  out += R"(], "output_specs": [)" + join(program.output_specs);
  out += R"(]}, "module_call_graph": [{"fqn": "", "signature": {"inputs": [], "outputs": [], )";
  out += R"("in_spec": ")" + in_spec(names.size());
  out += R"(", "out_spec": ")" + out_spec(program.outputs.size());
  out += R"(", "forward_arg_names": [)" + join(names);
  out +=
      R"(]}}], "metadata": {}, "treespec_namedtuple_fields": {}}, "opset_version": {"aten": 10}, )";
  out += R"("range_constraints": {}, "schema_version": {"major": 8, "minor": 20}, )";
  out += R"("verifiers": ["TRAINING"], "torch_version": "2.14.1+cu130", "guards_code": []})";
  return out;
}

void write_archive_tail(ZipWriter& zip, const std::string& root) {
  zip.add_member(root + "/data/sample_inputs/model.pt", "");
  zip.add_member(root + "/archive_format", "pt2");
  zip.add_member(root + "/archive_version", "0");
  zip.add_member(root + "/.data/version", "6\n");
  zip.add_member(root + "/byteorder", "little");
  zip.add_member(root + "/.data/serialization_id", std::string(40, '1'));
}

}  // namespace ptec::test
