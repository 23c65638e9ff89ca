#include "ops/control_flow.h"

#include <gtest/gtest.h>

#include <string>

#include "edge/check.h"
#include "edge/dead_code.h"
#include "exec/out_variants.h"
#include "exec/requires_grad.h"
#include "exec/specs.h"
#include "exec/stacked_results.h"
#include "ir/subgraphs.h"
#include "ir/text.h"
#include "ptec/error.h"

namespace ptec::edge {
namespace {

/// A method around one node of control flow.
Program method(const std::string& node, const std::string& result = "%r") {
  return parse_program(
      "method forward(%p: b8[], %x: f32[4], %w: f32[4] requires_grad parameter \"w\", %n: int(3)) "
      "{\n" +
      node + "\n  return (" + result + ")\n}\n");
}

std::string problem_of(const std::string& node) {
  try {
    check_exportable(method(node));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    return error.what();
  }
  return "none";
}

constexpr const char* kBranch =
    "graph(%a: f32[4]) {\n %b: f32[4] = aten::neg.default(%a)\n return (%b)\n}";

TEST(ControlFlow, OrdersOperandsAsTheInputsOfItsGraphs) {
  const Program program = method(
      "%s: (f32[4], f32[4]) = higher_order::scan(graph(%c: f32[4], %a: f32[], %e: f32[4]) {\n"
      " %b: f32[4] = aten::add.Tensor(%c, %a)\n %d: f32[4] = aten::neg.default(%e)\n"
      " return (%b, %d)\n}, [%x], [%w], [%x])\n%r: f32[4] = getitem(%s, 0)");
  const Node& scan = program.graph.at(program.graph.at(program.graph.last()).previous);
  const std::optional<ControlFlow> flow = find_control_flow(program.graph.at(*scan.args[0].node()));
  ASSERT_TRUE(flow);
  EXPECT_EQ(flow->kind, ControlFlowKind::Scan);
  ASSERT_EQ(flow->operand_count(), 3u);
  EXPECT_EQ(program.graph.at(*flow->operand(0).node()).name, "x");
  EXPECT_EQ(program.graph.at(*flow->operand(1).node()).name, "w");
  EXPECT_EQ(program.graph.at(*flow->operand(2).node()).name, "x");
  EXPECT_NO_THROW(check_exportable(program));
}

TEST(ControlFlow, bad_PredicateThatIsNotOneBool) {
  const std::string node = std::string("%c: (f32[4]) = higher_order::cond(%x, ") + kBranch + ", " +
                           kBranch + ", [%x])\n%r: f32[4] = getitem(%c, 0)";
  EXPECT_EQ(problem_of(node), "node 'c': higher_order::cond: its predicate is not one bool");
}

TEST(ControlFlow, bad_CarriedValuesThatChangePlaces) {
  const std::string node =
      "%c: (f32[4], f32[4]) = higher_order::while_loop(graph(%a: f32[4], %b: f32[4], %q: b8[]) {\n "
      "return (%q)\n}, graph(%a: f32[4], %b: f32[4], %q: b8[]) {\n return (%b, %a)\n}, [%x, %w], "
      "[%p])\n%r: f32[4] = getitem(%c, 0)";
  EXPECT_EQ(problem_of(node),
            "node 'c': higher_order::while_loop: its graph returns its input 'a' as result 1; "
            "return a clone() of it");
}

TEST(ControlFlow, bad_OperandsThatItsGraphsDoNotTake) {
  const std::string node = std::string("%c: (f32[4]) = higher_order::cond(%p, ") + kBranch + ", " +
                           kBranch + ", [%x, %w])\n%r: f32[4] = getitem(%c, 0)";
  EXPECT_EQ(problem_of(node),
            "node 'c': higher_order::cond: its graph takes 1 inputs, wanted 2, one an operand");
}

TEST(ControlFlow, bad_LoopsOverAScalar) {
  const std::string node =
      "%c: (f32[4]) = higher_order::while_loop(graph(%a: int(3)) {\n return (true)\n}, "
      "graph(%a: int(3)) {\n return (%a)\n}, [%n], [])\n%r: f32[4] = getitem(%c, 0)";
  EXPECT_EQ(problem_of(node), "node 'c': higher_order::while_loop: operand 0 ('n') is no tensor");
}

TEST(ControlFlow, bad_LoopsOverNothing) {
  const std::string node =
      "%c: (f32[4]) = higher_order::map_impl(graph(%a: f32[4]) {\n %b: f32[4] = "
      "aten::neg.default(%a)\n return (%b)\n}, [], [%x])\n%r: f32[4] = getitem(%c, 0)";
  EXPECT_EQ(
      problem_of(node),
      "node 'c': higher_order::map_impl: it goes over no tensor, so nothing counts its turns");
}

TEST(ControlFlow, bad_EveryProblemInsideIsReported) {
  const std::string node =
      "%c: (f32[4]) = higher_order::cond(%p, graph(%a: f32[4]) {\n %b: f32[4] = "
      "aten::nothing.default(%a)\n return (%b)\n}, graph(%a: f32[4]) {\n %b: f32[4] = "
      "aten::neg_.default(%a)\n return (%b)\n}, [%x])\n%r: f32[4] = getitem(%c, 0)";
  const std::string problem = problem_of(node);
  EXPECT_NE(problem.find("node 'c': node 'b': aten::nothing.default has no out form"),
            std::string::npos)
      << problem;
  EXPECT_NE(problem.find("node 'c': node 'b': aten::neg_.default writes in place"),
            std::string::npos)
      << problem;
}

TEST(ControlFlow, bad_AnotherHigherOrderOperator) {
  EXPECT_EQ(problem_of("%r: f32[4] = higher_order::wrap(graph() {\n return (3)\n}, [%x])"),
            "node 'r': higher_order::wrap is control flow of a kind that cannot be lowered");
}

TEST(ControlFlow, LosesDeadCodeInItsGraphsAndAltogether) {
  Program program = method(
      "%c: (f32[4]) = higher_order::cond(%p, graph(%a: f32[4]) {\n %u: f32[4] = "
      "aten::exp.default(%a)\n %b: f32[4] = aten::neg.default(%a)\n return (%b)\n}, graph(%a: "
      "f32[4]) {\n %b: f32[4] = aten::neg.default(%a)\n return (%b)\n}, [%x])\n%r: f32[4] = "
      "getitem(%c, 0)");
  EXPECT_EQ(remove_dead_code(program).nodes, 1);
  EXPECT_EQ(print_program(program).find("aten::exp"), std::string::npos);
  Program unused = method(
      std::string("%c: (f32[4]) = higher_order::cond(%p, ") + kBranch + ", " + kBranch + ", [%x])",
      "%x");
  EXPECT_EQ(remove_dead_code(unused).nodes, 1);
}

TEST(ControlFlow, GivesItsGraphsTheGradientsOfTheOperands) {
  Program program = method(std::string("%c: (f32[4]) = higher_order::cond(%p, ") + kBranch + ", " +
                           kBranch + ", [%w])\n%r: f32[4] = getitem(%c, 0)");
  propagate_requires_grad(program);
  for_each_graph(program.graph, [&program](const Graph& graph) {
    if (&graph == &program.graph) return;
    const NodeId result = *results_of(graph)[0].node();
    EXPECT_TRUE(graph.at(result).value.tensor()->requires_grad);
  });
  make_specs(program);
  to_out_variants(program);
  EXPECT_NE(print_program(program).find("aten::neg.out(%a, %alloc_1)"), std::string::npos);
}

TEST(ControlFlow, MarksOnlyWhatIsStackedAsDynamic) {
  Program program = method(
      "%s: (f32[4], f32[4,4]) = higher_order::scan(graph(%c: f32[4], %a: f32[]) {\n %b: f32[4] = "
      "aten::add.Tensor(%c, %a)\n %d: f32[4] = aten::neg.default(%b)\n return (%b, %d)\n}, [%x], "
      "[%w], [])\n%r: f32[4,4] = getitem(%s, 1)");
  make_specs(program);
  mark_stacked_results(program);
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next) {
    const Node& node = program.graph.at(id);
    if (node.name != "s") continue;
    EXPECT_FALSE(program.spec(node.specs[0]).dynamic);
    EXPECT_TRUE(program.spec(node.specs[1]).dynamic);
  }
}

}  // namespace
}  // namespace ptec::edge
