#include "exec/view_elision.h"

#include <gtest/gtest.h>

#include "exec/specs.h"
#include "ir/targets.h"
#include "ir/text.h"

namespace ptec::edge {
namespace {

NodeId id_of(const Program& program, std::string_view name) {
  NodeId id = program.graph.first();
  while (id != kNoNode && program.graph.at(id).name != name) id = program.graph.at(id).next();
  return id;
}

TEST(ElideViews, AViewOfAViewSharesTheMemoryOfTheFirstAndAReturnedOneStaysACopy) {
  ExecProgram exec(parse_program(R"(
    method forward(%x: f32[2,6]) {
      %r: f32[2,6] = aten::relu.default(%x)
      %a: f32[12] = aten::view_copy.default(%r, [12])
      %b: f32[3,4] = aten::view_copy.default(%a, [3,4])
      %y: f32[3,4] = aten::neg.default(%b)
      %z: f32[4,3] = aten::view_copy.default(%b, [4,3])
      return (%y, %z) })"));
  const Program& program = exec.program;
  make_specs(exec);
  elide_views(exec);
  const Node& view = program.graph.at(id_of(program, "b"));
  EXPECT_EQ(view.target, kView);
  EXPECT_EQ(exec.storage_of(exec.specs_of(program.graph, id_of(program, "b"))[0]),
            exec.specs_of(program.graph, id_of(program, "r"))[0]);
  EXPECT_EQ(program.graph.at(id_of(program, "z")).target, "aten::view_copy.default");
  EXPECT_EQ(*program.graph.at(id_of(program, "z")).args[0].node(), *view.args[0].node());
  EXPECT_EQ(id_of(program, "a"), kNoNode);  // nothing uses it any more
}

TEST(ElideViews, ADynamicViewOfAStaticTensorStaysACopy) {
  ExecProgram exec(parse_program(R"(
    symbol s0 in [2, 6] hint 3
    method forward(%x: f32[12], %n: f32[s0]) {
      %r: f32[12] = aten::relu.default(%x)
      %a: f32[s0,4] = aten::view_copy.default(%r, [-1,4])
      %y: f32[s0,4] = aten::neg.default(%a)
      return (%y) })"));
  const Program& program = exec.program;
  make_specs(exec);
  elide_views(exec);
  EXPECT_EQ(program.graph.at(id_of(program, "a")).target, "aten::view_copy.default");
}

}  // namespace
}  // namespace ptec::edge
