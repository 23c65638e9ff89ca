// Damaged program JSON: each fault with its code, and a message that says where.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "tests/support/expect_error.h"
#include "tests/torch_export/model_json.h"
#include "torch_export/read.h"

namespace ptec {
namespace {

using test::fails_with;
using test::model_json;
using test::with;

class BadProgram : public ::testing::Test {
 protected:
  ::testing::AssertionResult changed(std::string_view from,
                                     std::string_view to,
                                     ErrorCode code,
                                     std::string_view part) const {
    const std::string text = with(json_, from, to);
    return fails_with(code, part, [&] { parse_exported_program(text); });
  }
  ::testing::AssertionResult malformed(std::string_view from,
                                       std::string_view to,
                                       std::string_view part) const {
    return changed(from, to, ErrorCode::Malformed, part);
  }
  ::testing::AssertionResult unsupported(std::string_view from,
                                         std::string_view to,
                                         std::string_view part) const {
    return changed(from, to, ErrorCode::Unsupported, part);
  }

  const std::string json_ = model_json("zero_engine.pt2");
};

TEST_F(BadProgram, bad_JsonItself) {
  EXPECT_TRUE(
      fails_with(ErrorCode::Malformed, "this is no json", [] { parse_exported_program(""); }));
  EXPECT_TRUE(fails_with(
      ErrorCode::Malformed, "this is no json", [&] { parse_exported_program(json_ + "}"); }));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "this is no json", [&] {
    parse_exported_program(json_.substr(0, json_.size() / 2));
  }));
  EXPECT_TRUE(malformed("\"matmul\"", "\"mat\xFFmul\"", "this is no json"));
  EXPECT_TRUE(fails_with(ErrorCode::Malformed, "top level: wanted an object, found a list", [] {
    parse_exported_program("[]");
  }));
}

TEST_F(BadProgram, bad_JsonSaysWhereItBreaks) {
  const auto refused = [](std::string_view text, const std::string& part) {
    return fails_with(ErrorCode::Malformed, part, [&] { parse_exported_program(text); });
  };
  const std::string_view no_json = "this is no json: wanted ";
  const std::pair<std::string_view, std::string_view> kTexts[] = {
      {"", "a value at byte 0"},
      {" {\"a\": 1,}", "a key at byte 9"},
      {"{\"a\" 1}", "':' at byte 5"},
      {"[1, [], {}, 2 3]", "',' or the end of the list or object at byte 14"},
      {"[1]]", "the end of the text at byte 3"},
      {"[\"a", "the end of a string at byte 3"},
      {"[\"a\\x\"]", "an escape at byte 4"},
      {"[\"\\u12g4\"]", "four hex digits at byte 6"},
      {"[\"a\nb\"]", "no control character in a string at byte 3"},
      {"[1.]", "digits at byte 3"},
      {"[01]", "a number at byte 3"},
      {"[true, nul]", "a value at byte 7"},
      {"[NaN]", "a value at byte 1"},
  };
  for (const auto& [text, part] : kTexts) {
    EXPECT_TRUE(refused(text, std::string(no_json) + std::string(part))) << text;
  }
  EXPECT_TRUE(refused("[1, -9223372036854775809]", "an integer over 64 bits at byte 4"));
  EXPECT_TRUE(refused("[18446744073709551616]", "an integer over 64 bits at byte 1"));
  EXPECT_TRUE(malformed("{\"as_int\": 3}",
                        "{\"as_int\": 99999999999999999999}",
                        "the json has an integer over 64 bits at byte "));
}

TEST_F(BadProgram, bad_RequiredFieldsThatAreMissing) {
  for (const char* field : {"graph_module",
                            "graph",
                            "inputs",
                            "outputs",
                            "nodes",
                            "tensor_values",
                            "sym_int_values",
                            "sym_bool_values",
                            "target",
                            "metadata",
                            "name",
                            "arg",
                            "dtype",
                            "sizes",
                            "requires_grad",
                            "device",
                            "type",
                            "strides",
                            "storage_offset",
                            "layout",
                            "signature",
                            "input_specs",
                            "output_specs",
                            "parameter_name",
                            "buffer_name",
                            "persistent",
                            "module_call_graph",
                            "fqn",
                            "in_spec",
                            "out_spec",
                            "opset_version",
                            "range_constraints",
                            "schema_version",
                            "major",
                            "minor"}) {
    const std::string key = std::string("\"") + field + "\":";
    EXPECT_TRUE(malformed(key, "\"other\":", "field '" + std::string(field) + "' is missing"));
  }
}

TEST_F(BadProgram, bad_KindsNameThePath) {
  EXPECT_TRUE(malformed("\"target\": \"torch.ops.aten.matmul.default\"",
                        "\"target\": 3",
                        "graph_module.graph.nodes[0].target: wanted a string, found an integer"));
  EXPECT_TRUE(malformed("{\"as_int\": 3}",
                        "{\"as_int\": 3.0}",
                        "graph_module.graph.nodes[4].inputs[1].arg.as_int: wanted an integer, "
                        "found a real number"));
  EXPECT_TRUE(malformed("{\"as_int\": 3}", "{\"as_int\": 9223372036854775808}", "over 63 bits"));
  EXPECT_TRUE(malformed("\"requires_grad\": true",
                        "\"requires_grad\": 1",
                        "graph_module.graph.tensor_values.p_weight.requires_grad: wanted a bool"));
  EXPECT_TRUE(malformed("\"outputs\": [{\"as_tensor\": {\"name\": \"matmul\"}}]",
                        "\"outputs\": {}",
                        "nodes[0].outputs: wanted a list, found an object"));
  EXPECT_TRUE(malformed("\"metadata\": {\"stack_trace\"",
                        "\"metadata\": 1, \"m\": {\"stack_trace\"",
                        "metadata: wanted an object"));
}

TEST_F(BadProgram, bad_DuplicateKeys) {
  EXPECT_TRUE(
      malformed("\"dtype\": 7", "\"dtype\": 7, \"dtype\": 7", "key 'dtype' is there twice"));
  EXPECT_TRUE(malformed("\"getitem_1\": {\"dtype\"",
                        "\"x\": {\"dtype\"",
                        "value 'x' is there twice, first in tensor_values"));
  EXPECT_TRUE(malformed("\"sym_int_values\": {}",
                        "\"sym_int_values\": {\"x\": {\"as_int\": 1}}",
                        "graph_module.graph.sym_int_values: value 'x' is there twice"));
}

TEST_F(BadProgram, bad_Unions) {
  EXPECT_TRUE(malformed("\"arg\": {\"as_int\": 3}",
                        "\"arg\": {\"as_int\": 3, \"as_none\": true}",
                        "exactly one tag, found 2: 'as_int', 'as_none'"));
  EXPECT_TRUE(malformed("\"arg\": {\"as_int\": 3}", "\"arg\": {}", "exactly one tag, found 0"));
  EXPECT_TRUE(malformed("\"arg\": {\"as_int\": 3}",
                        "\"arg\": {\"as_quaternion\": 3}",
                        "unknown tag 'as_quaternion' (schema version 8.20)"));
  EXPECT_TRUE(malformed("{\"user_input\":", "{\"user_imput\":", "unknown tag 'user_imput'"));
  EXPECT_TRUE(malformed("{\"user_output\":", "{\"other\":", "unknown tag 'other'"));
  EXPECT_TRUE(unsupported("\"arg\": {\"as_int\": 3}",
                          "\"arg\": {\"as_complex\": {\"real\": 1, \"imag\": 1}}",
                          "node 'topk'"));
}

TEST_F(BadProgram, bad_Enums) {
  EXPECT_TRUE(malformed("\"dtype\": 7", "\"dtype\": 14", "14 is no element type"));
  EXPECT_TRUE(malformed("\"dtype\": 7", "\"dtype\": 0", "0 is no element type"));
  EXPECT_TRUE(malformed("\"layout\": 7", "\"layout\": 0", "0 is no layout"));
  EXPECT_TRUE(unsupported("\"layout\": 7", "\"layout\": 2", "a tensor of layout sparse_csr"));
  EXPECT_TRUE(malformed("{\"as_int\": 3}", "{\"as_memory_format\": 5}", "5 is no memory format"));
  EXPECT_TRUE(malformed("\"kind\": 1", "\"kind\": 3", "3 is no kind of argument"));
}

TEST_F(BadProgram, bad_SchemaVersions) {
  EXPECT_TRUE(unsupported("\"major\": 8",
                          "\"major\": 9",
                          "schema version 9.20, written by torch 2.14.1+cu130; this reader knows "
                          "version 8"));
  EXPECT_TRUE(unsupported("\"major\": 8", "\"major\": 7", "schema version 7.20"));
}

TEST_F(BadProgram, bad_Names) {
  EXPECT_TRUE(malformed("{\"as_tensor\": {\"name\": \"relu\"}}]",
                        "{\"as_tensor\": {\"name\": \"add\"}}]",
                        "value 'add' is defined twice, by nodes[1] and by nodes[2]"));
  EXPECT_TRUE(malformed("\"outputs\": [{\"as_tensor\": {\"name\": \"matmul\"}}]",
                        "\"outputs\": [{\"as_tensor\": {\"name\": \"x\"}}]",
                        "value 'x' is defined twice, by inputs[2] and by nodes[0]"));
  EXPECT_TRUE(malformed("\"arg\": {\"as_tensor\": {\"name\": \"x\"}}",
                        "\"arg\": {\"as_tensor\": {\"name\": \"relu\"}}",
                        "node 'matmul': graph_module.graph.nodes[0].inputs[0].arg.as_tensor.name: "
                        "value 'relu' is used, but not defined before"));
  EXPECT_TRUE(malformed("\"arg\": {\"as_tensor\": {\"name\": \"x\"}}",
                        "\"arg\": {\"as_tensor\": {\"name\": \"y\"}}",
                        "value 'y' is in no map of values"));
  EXPECT_TRUE(malformed("\"arg\": {\"as_tensor\": {\"name\": \"x\"}}",
                        "\"arg\": {\"as_sym_int\": {\"as_name\": \"x\"}}",
                        "value 'x' is a tensor, wanted a symbolic int"));
}

TEST_F(BadProgram, bad_Targets) {
  for (const char* target : {"#onnx:Relu",
                             "os.system",
                             "torch.ops.aten.relu",
                             "torch.ops.aten",
                             "torch.ops.aten.re-lu.default",
                             "_operator.getitem",
                             "math.floor",
                             "torch.ops.higher_order.cond.default"}) {
    EXPECT_TRUE(unsupported("torch.ops.aten.relu.default",
                            target,
                            "node 'relu': graph_module.graph.nodes[2].target: '"));
  }
}

// torch binds the arguments of a node by their names; whoever reads them in the order of the list
// exports another program.
TEST_F(BadProgram, bad_ArgumentNames) {
  const std::string k = R"({"name": "k", "arg": {"as_int": 3}, "kind": 1}, )";
  const std::string dim = k + R"({"name": "dim", "arg": {"as_int": 1}, "kind": 1}])";
  EXPECT_TRUE(malformed(R"({"name": "self", "arg": {"as_tensor": {"name": "matmul"}})",
                        R"({"name": "other", "arg": {"as_tensor": {"name": "matmul"}})",
                        "node 'add': graph_module.graph.nodes[1].inputs[0].name: argument 'other' "
                        "stands where aten::add.Tensor takes 'self'"));
  EXPECT_TRUE(malformed(R"({"name": "other", "arg": {"as_tensor": {"name": "b_bias"}})",
                        R"({"name": "self", "arg": {"as_tensor": {"name": "b_bias"}})",
                        "nodes[1].inputs[1].name: argument 'self' is there twice"));
  EXPECT_TRUE(malformed(R"({"name": "other", "arg": {"as_tensor": {"name": "b_bias"}})",
                        R"({"name": "alpha", "arg": {"as_tensor": {"name": "b_bias"}})",
                        "argument 'alpha' stands where aten::add.Tensor takes 'other'"));
  EXPECT_TRUE(malformed(R"({"name": "other", "arg": {"as_tensor": {"name": "b_bias"}})",
                        R"({"name": "", "arg": {"as_tensor": {"name": "b_bias"}})",
                        "aten::add.Tensor has no argument ''"));
  EXPECT_TRUE(malformed(k, "", "argument 'dim' stands where aten::topk.default takes 'k'"));
  EXPECT_TRUE(
      malformed(R"({"name": "other", "arg": {"as_tensor": {"name": "b_bias"}}, "kind": 1}])",
                R"({"name": "alpha", "arg": {"as_int": 2}, "kind": 2}])",
                "nodes[1].inputs: aten::add.Tensor misses its argument 'other'"));
  EXPECT_TRUE(malformed(dim,
                        k + R"({"name": "k", "arg": {"as_int": 1}, "kind": 2}])",
                        "argument 'k' is there twice"));
  EXPECT_TRUE(malformed(dim,
                        k + R"({"name": "dims", "arg": {"as_int": 1}, "kind": 2}])",
                        "aten::topk.default has no argument 'dims'"));
}

TEST_F(BadProgram, bad_Results) {
  const std::string results =
      "\"outputs\": [{\"as_tensor\": {\"name\": \"getitem\"}}, {\"as_tensor\": {\"name\": "
      "\"getitem_1\"}}]";
  EXPECT_TRUE(unsupported(
      results,
      "\"outputs\": [{\"as_tensor\": {\"name\": \"getitem\"}}, {\"as_tensors\": [{\"name\": "
      "\"getitem_1\"}]}]",
      "node 'topk': graph_module.graph.nodes[4].outputs[1]: a result that is a list"));
}

TEST_F(BadProgram, bad_TensorDescriptions) {
  EXPECT_TRUE(malformed("\"sizes\": [{\"as_int\": 4}",
                        "\"sizes\": [{\"as_int\": -4}",
                        "tensor_values.p_weight.sizes[0]: -4 is negative"));
  EXPECT_TRUE(malformed("\"strides\": [{\"as_int\": 8}, {\"as_int\": 1}]",
                        "\"strides\": [{\"as_int\": 8}]",
                        "1 strides for 2 sizes"));
  std::string sizes = "\"sizes\": [";
  for (int i = 0; i < 65; ++i) sizes += "{\"as_int\": 1}, ";
  EXPECT_TRUE(
      changed("\"sizes\": [", sizes, ErrorCode::Limit, "67 dimensions; a tensor has at most 64"));
  EXPECT_TRUE(malformed("\"sizes\": [{\"as_int\": 2}",
                        "\"sizes\": [{\"as_expr\": {\"expr_str\": \"eval(1)\", \"hint\": null}}",
                        "unknown head 'eval'"));
  EXPECT_TRUE(malformed("\"sizes\": [{\"as_int\": 4}",
                        "\"sizes\": [{\"as_expr\": {\"expr_str\": \"Symbol('s0')\"}}",
                        "parameter 'weight' has a symbolic shape"));
}

TEST_F(BadProgram, bad_Signatures) {
  EXPECT_TRUE(malformed("{\"parameter\": {\"arg\": {\"name\": \"p_weight\"}",
                        "{\"parameter\": {\"arg\": {\"name\": \"b_bias\"}",
                        "the signature says 'b_bias', the graph 'p_weight'"));
  EXPECT_TRUE(malformed("{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"x\"}}}}",
                        "{\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"y\"}}}}",
                        "the signature says 'y', the graph 'x'"));
  EXPECT_TRUE(malformed(", {\"user_input\": {\"arg\": {\"as_tensor\": {\"name\": \"x\"}}}}",
                        "",
                        "signature.input_specs: 2 specs for 3 inputs"));
  EXPECT_TRUE(
      malformed(", {\"user_output\": {\"arg\": {\"as_tensor\": {\"name\": \"getitem_1\"}}}}",
                "",
                "signature.output_specs: 1 specs for 2 outputs"));
  EXPECT_TRUE(malformed("{\"user_output\": {\"arg\": {\"as_tensor\": {\"name\": \"cumsum\"}}}}",
                        "{\"buffer_mutation\": {\"arg\": {\"name\": \"cumsum\"}, \"buffer_name\": "
                        "\"weight\"}}",
                        "there is no buffer 'weight'"));
  EXPECT_TRUE(malformed("{\"user_output\": {\"arg\": {\"as_tensor\": {\"name\": \"cumsum\"}}}}",
                        "{\"user_input_mutation\": {\"arg\": {\"name\": \"cumsum\"}, "
                        "\"user_input_name\": \"b_bias\"}}",
                        "there is no user input 'b_bias'"));
}

TEST_F(BadProgram, bad_Trees) {
  EXPECT_TRUE(unsupported("\"in_spec\": \"[1,", "\"in_spec\": \"[2,", "tree protocol 2"));
  EXPECT_TRUE(malformed("\"in_spec\": \"[1,", "\"in_spec\": \"[1", "this is no json"));
  EXPECT_TRUE(malformed("\"out_spec\": \"[1, {\\\"type\\\": \\\"builtins.tuple\\\"",
                        "\"out_spec\": \"[1, {\\\"type\\\": \\\"builtins.dict\\\"",
                        "wanted a list of 2 keys"));
  EXPECT_TRUE(
      malformed("\\\"children_spec\\\": [{\\\"type\\\": null, \\\"context\\\": null, "
                "\\\"children_spec\\\": []}]",
                "\\\"children_spec\\\": []",
                "0 leaves, but the signature has 1 user inputs"));
  EXPECT_TRUE(malformed("\\\"type\\\": null, \\\"context\\\": null",
                        "\\\"type\\\": null, \\\"context\\\": \\\"[]\\\"",
                        "a leaf has no context"));
  EXPECT_TRUE(malformed("\"fqn\": \"\"", "\"fqn\": \"sub\"", "no entry for the program itself"));
}

TEST_F(BadProgram, bad_Ranges) {
  EXPECT_TRUE(malformed("\"range_constraints\": {}",
                        "\"range_constraints\": {\"s0\": {\"min_val\": 4, \"max_val\": 2}}",
                        "range_constraints.s0: the range from 4 to 2 is empty"));
}

TEST_F(BadProgram, bad_Nesting) {
  std::string deep(2000, '[');
  EXPECT_TRUE(changed("\"guards_code\": []",
                      "\"guards_code\": " + deep + std::string(2000, ']'),
                      ErrorCode::Limit,
                      "nested deeper"));
  std::string tree =
      "{\\\"type\\\": \\\"builtins.tuple\\\", \\\"context\\\": \\\"null\\\", "
      "\\\"children_spec\\\": [";
  std::string trees;
  std::string ends;
  for (int i = 0; i < 150; ++i) {
    trees += tree;
    ends += "]}";
  }
  EXPECT_TRUE(changed("\"out_spec\": \"[1, ",
                      "\"out_spec\": \"[1, " + trees + ends + "]\", \"z\": \"",
                      ErrorCode::Limit,
                      "containers nest deeper than 128 levels"));
}

// Nothing that a file says may look like a bug of ours.
TEST_F(BadProgram, bad_PrefixesAndSingleBytesAreNeverInternal) {
  const auto read = [](const std::string& text) {
    try {
      parse_exported_program(text);
    } catch (const Error& error) {
      EXPECT_NE(error.code(), ErrorCode::Internal) << error.what();
    }
  };
  for (std::size_t size = 0; size < json_.size(); size += 7) read(json_.substr(0, size));
  for (std::size_t at = 0; at < json_.size(); ++at) {
    for (const char replacement : {'0', '"', '}'}) {
      std::string text = json_;
      text[at] = replacement;
      read(text);
    }
  }
}

}  // namespace
}  // namespace ptec
