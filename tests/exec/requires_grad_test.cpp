#include "exec/requires_grad.h"

#include <gtest/gtest.h>

#include <map>

#include "ir/text.h"

namespace ptec::edge {
namespace {

std::map<std::string, bool> flags(const Program& program) {
  std::map<std::string, bool> out;
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next()) {
    if (const TensorMeta* tensor = program.graph.at(id).value.tensor())
      out[program.graph.at(id).name] = tensor->requires_grad;
  }
  return out;
}

TEST(RequiresGrad, FlowsFromParametersToFloatResultsOnly) {
  Program program = parse_program(R"(
    method forward(%w: f32[4,8] parameter "w" requires_grad, %x: f32[2,4]) {
      %mm: f32[2,8] = aten::mm.default(%x, %w)
      %topk: (f32[2,3], i64[2,3]) = aten::topk.default(%mm, 3)
      %values: f32[2,3] = getitem(%topk, 0)
      %indices: i64[2,3] = getitem(%topk, 1)
      %other: f32[2,4] = aten::relu.default(%x)
      return (%values, %indices, %other)
    })");
  propagate_requires_grad(program);
  const std::map<std::string, bool> got = flags(program);
  EXPECT_TRUE(got.at("mm"));
  EXPECT_TRUE(got.at("values"));
  EXPECT_FALSE(got.at("indices"));
  EXPECT_FALSE(got.at("other"));
}

TEST(RequiresGrad, FlowsIntoABufferAndFromThereToWhatReadIt) {
  Program program = parse_program(R"(
    method forward(%w: f32[2,4] parameter "w" requires_grad, %b: f32[2,4] buffer "b") {
      %read: f32[2,4] = aten::relu.default(%b)
      %copy_: f32[2,4] = aten::copy_.default(%b, %w)
      return (%copy_ as buffer_mutation "b", %read)
    })");
  propagate_requires_grad(program);
  EXPECT_TRUE(flags(program).at("b"));
  EXPECT_TRUE(flags(program).at("read"));
}

}  // namespace
}  // namespace ptec::edge
