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

TEST(RequiresGrad, FlowsThroughAnEngineToItsFloatResults) {
  Program program = parse_program(R"(
    method forward(%w: f32[2,4] parameter "w" requires_grad, %e: object "e", %x: f32[2,4]) {
      %y: f32[2,4] = aten::mul.Tensor(%x, %w)
      %c: (f32[2,4], i64[2,4]) = tensorrt::execute_engine.default([%y], %e)
      %f: f32[2,4] = getitem(%c, 0)
      %i: i64[2,4] = getitem(%c, 1)
      %r: f32[2,4] = aten::relu.default(%f)
      return (%r, %i)
    })");
  propagate_requires_grad(program);
  const std::map<std::string, bool> got = flags(program);
  EXPECT_TRUE(got.at("f"));
  EXPECT_FALSE(got.at("i"));
  EXPECT_TRUE(got.at("r"));
}

TEST(RequiresGrad, DoesNotComeFromAParameterThatAnEngineReads) {
  Program program = parse_program(R"(
    method forward(%w: f32[2,4] parameter "w" requires_grad, %e: object "e", %x: f32[2,4]) {
      %c: (f32[2,4]) = tensorrt::execute_engine.default([%x, %w], %e)
      %f: f32[2,4] = getitem(%c, 0)
      return (%f)
    })");
  propagate_requires_grad(program);
  EXPECT_FALSE(flags(program).at("f"));
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
