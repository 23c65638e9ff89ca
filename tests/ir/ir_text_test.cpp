#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "ir/text.h"
#include "ir/verify.h"
#include "tests/ir/same_program.h"
#include "tests/support/expect_error.h"
#include "tests/support/shared_dir.h"
#include "torch_export/read.h"

namespace ptec {
namespace {

using test::fails_with;
using test::same_program;

void expect_round_trip(const Program& program, const std::string& what) {
  const std::string text = print_program(program);
  const Program again = parse_program(text);
  verify(again, "parse");
  EXPECT_EQ(print_program(again), text) << what;
  EXPECT_TRUE(same_program(program, again)) << what << "\n" << text;
}

TEST(PrintProgram, ShowsARealProgram) {
  const auto archive = archive::Pt2Archive::open(test::fixture_path("zero_engine.pt2").string());
  EXPECT_EQ(print_program(read_program(archive)),
            R"(torch_version "2.14.1+cu130"
verifier "TRAINING"
tensor "bias": f32[8], 32 bytes
tensor "weight": f32[4,8] requires_grad, 128 bytes
method forward(%p_weight: f32[4,8] requires_grad parameter "weight", %b_bias: f32[8] buffer "bias", %x: f32[2,4]) {
  %matmul: f32[2,8] = aten::matmul.default(%x, %p_weight)
  %add: f32[2,8] = aten::add.Tensor(%matmul, %b_bias)
  %relu: f32[2,8] = aten::relu.default(%add)
  %cumsum: f32[2,8] = aten::cumsum.default(%relu, 1)
  %topk: (f32[2,3], i64[2,3]) = aten::topk.default(%relu, 3, 1)
  %getitem: f32[2,3] = getitem(%topk, 0)
  %getitem_1: i64[2,3] = getitem(%topk, 1)
  return (%cumsum, %getitem_1)
}
)");
}

TEST(PrintProgram, ShowsSymbolsAndDevices) {
  const auto archive = archive::Pt2Archive::open(test::fixture_path("dynamic_batch.pt2").string());
  const std::string text = print_program(read_program(archive));
  EXPECT_NE(text.find("symbol s31 in [1, 8] hint 4\n"), std::string::npos) << text;
  EXPECT_NE(text.find("%input: f32[s31,16] on cuda:0"), std::string::npos) << text;
  EXPECT_NE(text.find("%execute_engine: (f32[s31,8] on cuda:0) = "
                      "tensorrt::execute_engine.default([%input], %obj__run_on_acc_0_engine)"),
            std::string::npos)
      << text;
}

TEST(ParseProgram, BringsBackEveryFixture) {
  for (const auto& entry : std::filesystem::directory_iterator(PTEC_FIXTURES_DIR)) {
    if (entry.path().extension() != ".pt2") continue;
    const auto archive = archive::Pt2Archive::open(entry.path().string());
    expect_round_trip(read_program(archive), entry.path().string());
  }
}

TEST(ParseProgram, BringsBackEveryArchiveOfTheSharedFolder) {
  PTEC_REQUIRE_SHARED_DIR(shared);
  for (const auto& folder : {shared / "fixtures", shared / "fixtures" / "models"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".pt2") continue;
      const auto archive = archive::Pt2Archive::open(entry.path().string());
      expect_round_trip(read_program(archive), entry.path().string());
    }
  }
}

constexpr std::string_view kEverything = R"(torch_version "2.14.1"
verifier "ATEN"
symbol s0 in [1, 8] hint 4
symbol s7 in [2, inf]
symbol u0 in [-inf, inf]
hint_of 4*s7 = 12
tensor "b": f32[8] strides [2] offset (3), 80 bytes
object "engine": "torchbind object", 13 fields, engine 2048 bytes
input_tree tuple(tuple(*, list(*, *)), node "builtins.dict" "[\"k\"]" (*))
output_tree list(*)
method "odd name"(%e: object "engine", %b: f32[8] strides [2] offset (3) buffer "b" non_persistent, %"odd \"x\"": bf16[s0,4*s7] on cuda:1, %c: none constant_input 3 named "whole", %n: int(s0 + 1), %u: object "") {
  %t: (f32[2,3] requires_grad, none, i64[s0//2], int(2)) = aten::op.default(%b, [1, -2, 7], none, true, [], alpha=2, "odd key"=0.5)
  %v: f32[2,3] requires_grad = getitem(%t, 0)
  %l: none = aten::many.default(inf, -inf, nan, -0.0, 1e-05, 1e+300, -9223372036854775808, f32, layout strided, memory_format channels_last, device cuda:0, device cpu, "a\n\"b\\ \x01 ü")
  %q: real(0.5) = "odd target!"(%n)
  %r: float(s0) = sym::truediv(%n, 2)
  %g: bool(Equality(3, s0)) = higher_order::cond(%q, graph(%x: f32[2], %y: int(s0)) {
    %z: f32[2] = aten::relu.default(%x)
    return (%z, 3)
  }, [%v])
  return (%v as buffer_mutation "b", %v, 3, none)
}
)";

TEST(ParseProgram, KnowsEverything) {
  const std::string text(kEverything);
  const Program program = parse_program(text);
  verify(program, "parse");
  EXPECT_EQ(print_program(program), text);
  expect_round_trip(program, "everything");
  EXPECT_EQ(program.inputs[0].kind, InputKind::CustomObject);
  EXPECT_EQ(program.inputs[5].kind, InputKind::UserInput);
  EXPECT_EQ(program.outputs[0].target, "b");
}

TEST(ParseProgram, FillsInWhatIsLeftOut) {
  const Program program = parse_program(R"(
    # Comments reach to the end of the line.
    method forward(%x: f32[2,4], %w: f32[4,8] parameter "weight" requires_grad) {
      %mm: f32[2,8] = aten::mm.default(%x, %w)
      %t: (f32[2,3], i64[2,3]) = aten::topk.default(%mm, 3, 1)
      %v: f32[2,3] = getitem(%t, 0)
      return (%v)
    })");
  verify(program, "parse");
  EXPECT_TRUE(program.tensors.at("weight").meta.requires_grad);
  EXPECT_EQ(program.tensors.at("weight").storage.size_bytes(), 128u);
  ASSERT_EQ(program.input_tree.children.size(), 2u);
  EXPECT_EQ(program.input_tree.children[0].children.size(), 1u);
  EXPECT_EQ(program.output_tree.children.size(), 1u);
  EXPECT_EQ(program.graph.at(program.inputs[0].node).value.tensor()->strides,
            (std::vector<Dim>{4, 1}));
}

TEST(ParseProgram, bad_TextsSayLineAndColumn) {
  const auto bad = [](std::string_view text, std::string_view part) {
    return fails_with(ErrorCode::Malformed, part, [&] { parse_program(text); });
  };
  EXPECT_TRUE(bad("", "line 1, column 1: wanted 'method'"));
  EXPECT_TRUE(bad("method f(%x: f33[2]) { return () }", "line 1, column 14: wanted a type"));
  EXPECT_TRUE(bad("method f(%x: f32[2]) {\n  %y: f32[2] = a::b(%z)\n  return () }",
                  "line 2, column 23: %z is not defined before"));
  EXPECT_TRUE(bad("method f(%x: f32[2]) {\n  %x: f32[2] = a::b(%x)\n  return () }",
                  "%x is defined twice, first in line 1"));
  EXPECT_TRUE(bad("method f() { return ()", "wanted '}', found the end"));
  EXPECT_TRUE(bad("method f() { return () } x", "wanted the end"));
  EXPECT_TRUE(bad("method f(%x: f32[-2]) { return () }", "not negative"));
  EXPECT_TRUE(bad("method f(%x: f32[2*]) { return () }", "wanted an expression"));
  EXPECT_TRUE(bad("method f(%x: f32[2] strides [1,1]) { return () }", "2 strides for 1 sizes"));
  EXPECT_TRUE(bad("method f(%x: f32[s0] parameter \"w\") { return () }", "symbolic shape"));
  EXPECT_TRUE(bad("method f(%x: f32[2]) { %y: f32[2] = getitem(%x, 0) return () }",
                  "takes from a node that has a list"));
  EXPECT_TRUE(
      bad("method f(%x: f32[2]) { %y: (f32[2]) = a::b(%x) %z: f32[2] = getitem(%y, 1) "
          "return () }",
          "index 1 in a list of 1"));
  EXPECT_TRUE(bad("method f(%x: f32[2]) { %y: none = a::b(99999999999999999999) return () }",
                  "is no number"));
  EXPECT_TRUE(bad("method f(%x: f32[2]) { %y: none = a::b(k=1, 2) return () }",
                  "a positional argument after a named one"));
  EXPECT_TRUE(
      bad("object \"e\": \"torchbind object\", 65 fields, engine 1 bytes", "at most 64 fields"));
}

TEST(ParseProgram, bad_NestingHasALimit) {
  const auto too_deep = [](std::string_view text) {
    return fails_with(
        ErrorCode::Limit, "arguments nest deeper than 128 levels", [&] { parse_program(text); });
  };
  EXPECT_TRUE(too_deep("method f() { %y: none = a::b(" + std::string(200, '[')));
  std::string graphs = "method f() {";
  for (int i = 0; i < 200; ++i) graphs += " %y: none = a::b([[graph() {";
  EXPECT_TRUE(too_deep(graphs));
}

}  // namespace
}  // namespace ptec
