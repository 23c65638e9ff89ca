#include "exec/specs.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ptec/error.h"

namespace ptec::edge {
namespace {

/// The specs of the node with that name.
const std::vector<SpecId>& specs_of(const ExecProgram& exec, std::string_view name) {
  const Program& program = exec.program;
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next()) {
    if (program.graph.at(id).name == name) return exec.specs_of(program.graph, id);
  }
  throw std::logic_error("no such node");
}

TEST(Specs, GetitemsShareTheSpecOfTheirElement) {
  ExecProgram exec(parse_program(R"(
    method forward(%x: f32[2,8]) {
      %topk: (f32[2,3], i64[2,3]) = aten::topk.default(%x, 3)
      %indices: i64[2,3] = getitem(%topk, 1)
      return (%indices)
    })"));
  make_specs(exec);
  EXPECT_EQ(specs_of(exec, "indices"), std::vector<SpecId>{specs_of(exec, "topk").at(1)});
}

TEST(Specs, MarksParametersAsConstant) {
  ExecProgram exec(parse_program(R"(
    method forward(%w: f32[4] parameter "layer.w", %x: f32[4]) {
      %y: f32[4] = aten::add.Tensor(%x, %w)
      return (%y)
    })"));
  make_specs(exec);
  const TensorSpec& spec = exec.spec(specs_of(exec, "w").at(0));
  EXPECT_TRUE(spec.constant);
  EXPECT_EQ(spec.constant_fqn, "layer.w");
  EXPECT_FALSE(exec.spec(specs_of(exec, "x").at(0)).constant);
}

TEST(Specs, bad_ElementTypeThatExecuTorchHasNot) {
  ExecProgram exec(parse_program(R"(
    method forward(%x: f8e8m0fnu[4]) {
      return (%x)
    })"));
  try {
    make_specs(exec);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_STREQ(error.what(),
                 "node 'x': element type float8_e8m0fnu does not exist in ExecuTorch");
  }
}

}  // namespace
}  // namespace ptec::edge
