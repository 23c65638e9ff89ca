#include <gtest/gtest.h>

#include "ir/program.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ptec/error.h"

namespace ptec {
namespace {

Program two_results() {
  return parse_program(R"(
    method forward(%x: f32[2]) {
      %a: (f32[2], f32[2]) = aten::foo.default(%x, %x)
      %b: f32[2] = getitem(%a, 0)
      %c: f32[2] = getitem(%a, 1)
      %d: f32[2] = aten::relu.default(%x)
      return (%d)
    })");
}

std::vector<NodeId> named(const Program& program, std::string_view names) {
  std::vector<NodeId> out;
  for (const NodeId id : program.graph.order()) {
    if (names.find(program.graph.at(id).name) != std::string_view::npos) out.push_back(id);
  }
  return out;
}

TEST(GraphErase, TakesOutNodesThatUseEachOtherInAnyOrder) {
  for (const bool reversed : {false, true}) {
    Program program = two_results();
    std::vector<NodeId> ids = named(program, "abc");
    if (reversed) ids = {ids.rbegin(), ids.rend()};
    program.graph.erase_all(ids);
    verify(program, "erase");
    EXPECT_EQ(program.graph.size(), 3u);
    const NodeId x = program.inputs[0].node;
    EXPECT_EQ(program.graph.at(x).users(), named(program, "d"));
    for (const NodeId id : ids) EXPECT_TRUE(program.graph.at(id).erased());
  }
}

TEST(GraphErase, LeavesTheGraphAloneWithoutNodes) {
  Program program = two_results();
  const std::string before = print_program(program);
  program.graph.erase_all({});
  EXPECT_EQ(print_program(program), before);
}

TEST(GraphErase, bad_ANodeThatSomethingElseUses) {
  Program program = two_results();
  try {
    program.graph.erase_all(named(program, "ab"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Internal);
    EXPECT_NE(std::string_view(error.what()).find("erased node 'a' has users"),
              std::string_view::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace ptec
