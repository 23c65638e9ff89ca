#include "tests/support/graph_archive.h"

#include <fmt/format.h>

#include <string_view>

#include "tests/support/program_json.h"
#include "tests/support/zip_writer.h"

namespace ptec::test {
namespace {

std::string tensor_argument(std::string_view name, std::string_view value) {
  return fmt::format(
      R"({{"name": "{}", "arg": {{"as_tensor": {{"name": "{}"}}}}, "kind": 1}})", name, value);
}

std::string metadata(int index, std::string_view op) {
  constexpr std::string_view kText =
      R"json({{"stack_trace": "  File \"model.py\", line {line}, in forward\n    x = torch.{op}(x)", )json"
      R"json("torch_fn": "{op}_{index};builtin_function_or_method.{op}"}})json";
  return fmt::format(
      kText, fmt::arg("line", 40 + index % 97), fmt::arg("op", op), fmt::arg("index", index));
}

}  // namespace

std::uint64_t write_graph_archive(const std::string& path, int nodes) {
  ProgramJson program;
  program.inputs.push_back(R"({"as_tensor": {"name": "x"}})");
  program.input_specs.push_back(R"({"user_input": {"arg": {"as_tensor": {"name": "x"}}}})");
  program.forward_arg_names = {"x"};
  append_item(program.tensor_values, R"("x": )" + tensor_meta_json(2, 4, "cpu"));

  std::string previous = "x";
  for (int i = 0; i < nodes; ++i) {
    const bool relu = i % 2 == 0;
    const std::string name = fmt::format("{}_{}", relu ? "relu" : "add", i);
    std::string inputs = tensor_argument("self", previous);
    if (!relu) inputs += ", " + tensor_argument("other", "x");
    append_item(program.nodes,
                fmt::format(R"({{"target": "torch.ops.aten.{}", "inputs": [{}], "outputs": )"
                            R"([{{"as_tensor": {{"name": "{}"}}}}], "metadata": {}, )"
                            R"("is_hop_single_tensor_return": null, "name": "{}"}})",
                            relu ? "relu.default" : "add.Tensor",
                            inputs,
                            name,
                            metadata(i, relu ? "relu" : "add"),
                            name));
    append_item(program.tensor_values,
                fmt::format(R"("{}": {})", name, tensor_meta_json(2, 4, "cpu")));
    previous = name;
  }
  program.outputs.push_back(fmt::format(R"({{"as_tensor": {{"name": "{}"}}}})", previous));
  program.output_specs.push_back(
      fmt::format(R"({{"user_output": {{"arg": {{"as_tensor": {{"name": "{}"}}}}}}}})", previous));
  const std::string json = finish_program_json(program);

  FileSink file(path);
  ZipWriter zip(file);
  zip.add_member("graph/data/weights/model_weights_config.json", R"({"config": {}})");
  zip.add_member("graph/data/constants/model_constants_config.json", R"({"config": {}})");
  zip.add_member("graph/models/model.json", json);
  write_archive_tail(zip, "graph");
  zip.finish();
  file.close();
  return json.size();
}

}  // namespace ptec::test
