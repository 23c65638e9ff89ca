#include "exec/specs.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ptec/error.h"

namespace ptec::edge {
namespace {

const Node& node_named(const Program& program, std::string_view name) {
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next) {
    if (program.graph.at(id).name == name) return program.graph.at(id);
  }
  throw std::logic_error("no such node");
}

TEST(Specs, GetitemsShareTheSpecOfTheirElement) {
  Program program = parse_program(R"(
    method forward(%x: f32[2,8]) {
      %topk: (f32[2,3], i64[2,3]) = aten::topk.default(%x, 3)
      %indices: i64[2,3] = getitem(%topk, 1)
      return (%indices)
    })");
  make_specs(program);
  EXPECT_EQ(node_named(program, "indices").specs,
            std::vector<SpecId>{node_named(program, "topk").specs.at(1)});
}

TEST(Specs, MarksParametersAsConstant) {
  Program program = parse_program(R"(
    method forward(%w: f32[4] parameter "layer.w", %x: f32[4]) {
      %y: f32[4] = aten::add.Tensor(%x, %w)
      return (%y)
    })");
  make_specs(program);
  const TensorSpec& spec = program.spec(node_named(program, "w").specs.at(0));
  EXPECT_TRUE(spec.constant);
  EXPECT_EQ(spec.constant_fqn, "layer.w");
  EXPECT_FALSE(program.spec(node_named(program, "x").specs.at(0)).constant);
}

TEST(Specs, bad_ElementTypeThatExecuTorchHasNot) {
  Program program = parse_program(R"(
    method forward(%x: f8e8m0fnu[4]) {
      return (%x)
    })");
  try {
    make_specs(program);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_STREQ(error.what(),
                 "node 'x': element type float8_e8m0fnu does not exist in ExecuTorch");
  }
}

}  // namespace
}  // namespace ptec::edge
