// Programs of real archives; what is expected is what torch prints for them (CASE.graph.txt).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "ir/targets.h"
#include "ir/verify.h"
#include "ptec/error.h"
#include "tests/torch_export/model_json.h"
#include "torch_export/read.h"

namespace ptec {
namespace {

using test::model_json;
using test::with;

/// name = target, in order; placeholders and the output have no target.
std::vector<std::string> node_lines(const Program& program) {
  std::vector<std::string> out;
  const Graph& graph = program.graph;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    out.push_back(graph.at(id).name + " = " + graph.at(id).target);
  }
  return out;
}

const Node& node_named(const Program& program, std::string_view name) {
  const Graph& graph = program.graph;
  for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
    if (graph.at(id).name == name) return graph.at(id);
  }
  ADD_FAILURE() << "no node " << name;
  return graph.at(graph.first());
}

Program read_fixture(const archive::Pt2Archive& archive) {
  Program program = read_program(archive);
  verify(program, "read");
  return program;
}

TEST(ReadProgram, ReadsOperatorsAndWeights) {
  const auto archive = archive::Pt2Archive::open(test::fixture_path("zero_engine.pt2").string());
  const Program program = read_fixture(archive);
  EXPECT_EQ(node_lines(program),
            (std::vector<std::string>{"p_weight = ",
                                      "b_bias = ",
                                      "x = ",
                                      "matmul = aten::matmul.default",
                                      "add = aten::add.Tensor",
                                      "relu = aten::relu.default",
                                      "cumsum = aten::cumsum.default",
                                      "topk = aten::topk.default",
                                      "getitem = getitem",
                                      "getitem_1 = getitem",
                                      "output = "}));
  ASSERT_EQ(program.inputs.size(), 3u);
  EXPECT_EQ(program.inputs[0].kind, InputKind::Parameter);
  EXPECT_EQ(program.inputs[0].target, "weight");
  EXPECT_EQ(program.inputs[1].kind, InputKind::Buffer);
  EXPECT_TRUE(program.inputs[1].persistent);
  EXPECT_EQ(program.inputs[2].kind, InputKind::UserInput);
  EXPECT_EQ(program.torch_version, "2.14.1+cu130");

  const Node& topk = node_named(program, "topk");
  EXPECT_EQ(std::get<std::int64_t>(topk.args[1].v), 3);
  ASSERT_NE(topk.value.list(), nullptr);
  EXPECT_EQ(std::get<TensorMeta>((*topk.value.list())[1]).dtype, ScalarType::Int64);
  const Node& indices = node_named(program, "getitem_1");
  EXPECT_EQ(program.graph.at(*indices.args[0].node()).name, "topk");
  EXPECT_EQ(std::get<std::int64_t>(indices.args[1].v), 1);
  EXPECT_TRUE(node_named(program, "p_weight").value.tensor()->requires_grad);

  const TensorData& weight = program.tensors.at("weight");
  EXPECT_EQ(weight.storage.size_bytes(), 4u * 8 * 4);
  EXPECT_EQ(weight.meta.strides, (std::vector<Dim>{8, 1}));
  EXPECT_EQ(program.tensors.at("bias").storage.size_bytes(), 32u);
  EXPECT_EQ(program.output_tree.children.size(), 2u);
}

TEST(ReadProgram, ReadsEngines) {
  for (const char* name : {"mlp_static.pt2", "mlp_static.legacy.pt2", "mlp_static.saved.pt2"}) {
    const auto archive = archive::Pt2Archive::open(test::fixture_path(name).string());
    const Program program = read_fixture(archive);
    ASSERT_EQ(program.objects.size(), 1u) << name;
    EXPECT_EQ(program.objects.begin()->second.fields.size(), 13u);
    EXPECT_GT(program.objects.begin()->second.engine.size_bytes(), 10000u);
    ASSERT_EQ(program.inputs.size(), 2u);
    EXPECT_EQ(program.inputs[0].kind, InputKind::CustomObject);
    const Node& placeholder = program.graph.at(program.inputs[0].node);
    EXPECT_EQ(std::get<ObjectRef>(placeholder.value.v).fqn, program.inputs[0].target);
    const Node& call = program.graph.at(placeholder.users.at(0));
    EXPECT_EQ(call.target, "tensorrt::execute_engine.default");
    ASSERT_NE(call.args[0].list(), nullptr);
    EXPECT_EQ(call.args[0].list()->size(), 1u);
    ASSERT_NE(call.value.list(), nullptr);
    EXPECT_EQ(call.value.list()->size(), 1u);
  }
}

TEST(ReadProgram, ReadsSymbolsRangesAndHints) {
  const auto archive = archive::Pt2Archive::open(test::fixture_path("dynamic_batch.pt2").string());
  const Program program = read_fixture(archive);
  EXPECT_EQ(program.ranges, (SymbolRanges{{"s31", {1, 8}}}));
  const TensorMeta& input = *node_named(program, "input").value.tensor();
  EXPECT_EQ(program.exprs.print(input.sizes[0]), "s31");
  EXPECT_EQ(program.exprs.at(input.sizes[0].expr()).hint, 4);
  EXPECT_EQ(input.sizes[1], Dim(16));
  EXPECT_EQ(node_lines(program),
            (std::vector<std::string>{"obj__run_on_acc_0_engine = ",
                                      "input = ",
                                      "execute_engine = tensorrt::execute_engine.default",
                                      "getitem = getitem",
                                      "output = "}));
}

TEST(ReadProgram, SharesOneSymbolBetweenInputs) {
  const auto archive = archive::Pt2Archive::open(test::fixture_path("shared_dims.pt2").string());
  const Program program = read_fixture(archive);
  EXPECT_EQ(node_named(program, "x").value.tensor()->sizes[0],
            node_named(program, "y").value.tensor()->sizes[0]);
  EXPECT_EQ(program.ranges, (SymbolRanges{{"s17", {1, 8}}}));
}

TEST(ReadProgram, bad_ModelThatIsNotThere) {
  const auto archive = archive::Pt2Archive::open(test::fixture_path("zero_engine.pt2").string());
  try {
    read_program(archive, "decode");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Malformed);
    EXPECT_NE(std::string(error.what()).find("no program 'decode'; it has 'model'"),
              std::string::npos)
        << error.what();
  }
}

TEST(ReadProgram, ReadsEveryArchiveOfTheSharedFolder) {
  PTEC_REQUIRE_SHARED_DIR(shared);
  int read = 0;
  for (const auto& folder : {shared / "fixtures", shared / "fixtures" / "models"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".pt2") continue;
      const auto archive = archive::Pt2Archive::open(entry.path().string());
      const Program program = read_fixture(archive);
      EXPECT_GT(program.graph.size(), 2u) << entry.path();
      ++read;
    }
  }
  EXPECT_GT(read, 70);
}

TEST(ParseExportedProgram, KeepsUnusualNames) {
  std::string json = model_json("zero_engine.pt2");
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"relu\"", "\"class\""},
                                 {"\"cumsum\"", "\"sum_1\""},
                                 {"\"matmul\"", "\"input\""}}) {
    std::size_t at = 0;
    while ((at = json.find(from, at)) != std::string::npos) json.replace(at, from.size(), to);
  }
  const Program program = parse_exported_program(json);
  verify(program, "read");
  EXPECT_EQ(node_named(program, "class").target, "aten::relu.default");
  EXPECT_EQ(node_named(program, "input").target, "aten::matmul.default");
  EXPECT_EQ(node_named(program, "sum_1").target, "aten::cumsum.default");
}

TEST(ParseExportedProgram, GivesWayToAValueOfTheSameName) {
  // The node of several results is called like a value; the value keeps its name.
  const Program program = parse_exported_program(
      with(model_json("zero_engine.pt2"), "\"name\": \"topk\"}", "\"name\": \"relu\"}"));
  verify(program, "read");
  EXPECT_EQ(node_named(program, "relu_1").target, "aten::topk.default");
}

TEST(ParseExportedProgram, TakesExtraFieldsAndRealNumbersAsText) {
  std::string json = model_json("zero_engine.pt2");
  json = with(json, "{\"graph_module\":", "{\"added_later\": {\"x\": [1]}, \"graph_module\":");
  json = with(json, "\"arg\": {\"as_int\": 1}", "\"arg\": {\"as_float\": \"-Infinity\"}");
  const Program program = parse_exported_program(json);
  EXPECT_EQ(std::get<double>(node_named(program, "cumsum").args[1].v), -HUGE_VAL);
}

TEST(ParseExportedProgram, KeepsKeywordsApart) {
  std::string json = model_json("zero_engine.pt2");
  json = with(json,
              "{\"name\": \"dim\", \"arg\": {\"as_int\": 1}, \"kind\": 1}",
              "{\"name\": \"dim\", \"arg\": {\"as_int\": 1}, \"kind\": 1}, "
              "{\"name\": \"dtype\", \"arg\": {\"as_scalar_type\": 7}, \"kind\": 2}");
  const Program program = parse_exported_program(json);
  const Node& node = node_named(program, "cumsum");
  ASSERT_EQ(node.args.size(), 2u);
  ASSERT_EQ(node.kwargs.size(), 1u);
  EXPECT_EQ(node.kwargs[0].name, "dtype");
  EXPECT_EQ(std::get<ScalarType>(node.kwargs[0].value.v), ScalarType::Float32);
}

// Writers before torch 2.8 did not say which arguments are keywords.
TEST(ParseExportedProgram, BindsArgumentsWithoutAKindByName) {
  const std::string old = with(model_json("zero_engine.pt2"),
                               R"({"name": "k", "arg": {"as_int": 3}, "kind": 1}, )"
                               R"({"name": "dim", "arg": {"as_int": 1}, "kind": 1})",
                               R"({"name": "k", "arg": {"as_int": 3}}, )"
                               R"({"name": "sorted", "arg": {"as_bool": false}})");
  const Program program = parse_exported_program(old);
  const Node& node = node_named(program, "topk");
  ASSERT_EQ(node.args.size(), 2u);
  EXPECT_EQ(std::get<std::int64_t>(node.args[1].v), 3);
  ASSERT_EQ(node.kwargs.size(), 1u);
  EXPECT_EQ(node.kwargs[0].name, "sorted");
}

TEST(ParseExportedProgram, TakesSentinelsForUnbounded) {
  std::string json = model_json("dynamic_batch.pt2");
  const std::string range = "\"s31\": {\"min_val\": 1, \"max_val\": 8}";
  const auto range_of = [&](std::string_view to) {
    return parse_exported_program(with(json, range, to)).ranges;
  };
  const SymbolRanges open = {{"s31", {1, std::nullopt}}};
  EXPECT_EQ(range_of("\"s31\": {\"min_val\": 1, \"max_val\": null}"), open);
  EXPECT_EQ(range_of("\"s31\": {\"min_val\": 1, \"max_val\": 9223372036854775807}"), open);
  EXPECT_EQ(range_of("\"s31\": {\"min_val\": 1, \"max_val\": -1}"), open);
  EXPECT_EQ(range_of("\"s31\": {\"min_val\": 1, \"max_val\": null}, "
                     "\"4*s31\": {\"min_val\": 4, \"max_val\": 32}"),
            open);
}

constexpr std::string_view kCond = R"({"target": "torch.ops.higher_order.cond", "inputs": [
  {"name": "", "arg": {"as_bool": true}, "kind": 1},
  {"name": "", "arg": {"as_graph": {"name": "true_graph_0", "graph": BRANCH}}, "kind": 1},
  {"name": "", "arg": {"as_tensors": [{"name": "x"}]}, "kind": 1}],
  "outputs": [{"as_tensor": {"name": "taken"}}], "metadata": {},
  "is_hop_single_tensor_return": false, "name": "cond"}, )";
constexpr std::string_view kBranch =
    R"({"inputs": [{"as_tensor": {"name": "x"}}], "outputs": [{"as_tensor": {"name": "x"}}],
  "nodes": [], "tensor_values": {"x": META}, "sym_int_values": {}, "sym_bool_values": {}})";
constexpr std::string_view kMeta =
    R"({"dtype": 7, "sizes": [{"as_int": 2}], "requires_grad": false,
  "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 1}],
  "storage_offset": {"as_int": 0}, "layout": 7})";

TEST(ParseExportedProgram, ReadsBranchesInTheirOwnScope) {
  std::string json = model_json("zero_engine.pt2");
  json = with(json, "\"nodes\": [", "\"nodes\": [" + std::string(kCond));
  json = with(json, "BRANCH", kBranch);
  json = with(json, "META", kMeta);
  json = with(json,
              "\"tensor_values\": {\"p_weight\"",
              fmt::format("\"tensor_values\": {{\"taken\": {}, \"p_weight\"", kMeta));
  const Program program = parse_exported_program(json);
  verify(program, "read");
  const Node& cond = node_named(program, "cond");
  EXPECT_EQ(cond.target, "higher_order::cond");
  const auto& branch = std::get<std::shared_ptr<Graph>>(cond.args[1].v);
  ASSERT_EQ(branch->inputs.size(), 1u);
  EXPECT_EQ(branch->at(branch->inputs[0]).name, "x");
  ASSERT_NE(cond.value.list(), nullptr);  // a tuple of one
  EXPECT_EQ(node_named(program, "taken").target, kGetItem);
}

/// A chain of `count` additions, with `metadata` like torch's.
std::string chain_json(int count) {
  std::string nodes;
  std::string values;
  for (int i = 0; i < count; ++i) {
    nodes += fmt::format(
        R"({{"target": "torch.ops.aten.add.Tensor", "inputs": [{{"name": "self", "arg": {{"as_tensor": {{"name": "{}"}}}}, "kind": 1}}, {{"name": "other", "arg": {{"as_tensor": {{"name": "x"}}}}, "kind": 1}}], "outputs": [{{"as_tensor": {{"name": "getitem_{}"}}}}], "metadata": {{"stack_trace": "File \"model.py\", line {}, in forward"}}, "is_hop_single_tensor_return": null, "name": "getitem_{}"}}, )",
        i == 0 ? "x" : fmt::format("getitem_{}", i + 9),
        i + 10,
        i,
        i + 10);
    values += fmt::format("\"getitem_{}\": {}, ", i + 10, kMeta);
  }
  std::string json = model_json("zero_engine.pt2");
  json = with(json, "\"nodes\": [", "\"nodes\": [" + nodes);
  return with(json, "\"tensor_values\": {", "\"tensor_values\": {" + values);
}

TEST(ParseExportedProgram, ReadsAHundredThousandNodes) {
  const Program program = parse_exported_program(chain_json(100000));
  EXPECT_EQ(program.graph.size(), 100000u + 11);
  EXPECT_EQ(program.graph.at(program.inputs[2].node).users.size(), 100001u);
  EXPECT_EQ(*node_named(program, "getitem_100009").args[1].node(),
            *node_named(program, "getitem_10").args[1].node());
}

}  // namespace
}  // namespace ptec
