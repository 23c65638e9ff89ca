#include "support/problems.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/doc_table.h"
#include "tests/support/expect_error.h"

namespace ptec {
namespace {

const Problem& only(const Error& error) {
  EXPECT_EQ(error.problems().size(), 1u);
  return error.problems().front();
}

TEST(Problem, KnowsWhereItIs) {
  const Breadcrumb archive("archive", "model.pt2");
  const Breadcrumb method = Breadcrumb::unsaid("method", "decode");
  const std::string name = "relu__1";
  const std::string op = "aten::relu_.default";
  const Breadcrumb node = Breadcrumb::of_node(name, op);
  const Problem problem = problem_here(ProblemId::OperatorInPlace, "it writes in place");
  EXPECT_EQ(problem.code, ErrorCode::Unsupported);
  EXPECT_EQ(problem.file, "model.pt2");
  EXPECT_EQ(problem.method, "decode");
  EXPECT_EQ(problem.node, "relu__1");
  EXPECT_EQ(problem.op, "aten::relu_.default");
  EXPECT_EQ(problem.where,
            (std::vector<ProblemPlace>{{"archive", "model.pt2"}, {"node", "relu__1"}}));
  EXPECT_EQ(problem.text(),
            "archive 'model.pt2': node 'relu__1': it writes in place; export the program with "
            "run_decompositions() first");
}

TEST(Problem, FillsTheWordsOfItsRemedy) {
  const Problem problem =
      problem_here(ProblemId::DimensionUnbounded, "it has no bound", {{"dimension", "s{x}"}});
  EXPECT_EQ(problem.remedy.substr(0, 33), "give it one with --max s{x}=N, or");
}

TEST(Problem, WithoutAnIdHasItsCodesOwn) {
  try {
    fail(ErrorCode::Limit, "too much");
  } catch (const Error& error) {
    EXPECT_EQ(only(error).id, ProblemId::Limit);
    EXPECT_EQ(error.code(), ErrorCode::Limit);
    EXPECT_STREQ(error.what(), "too much");
  }
}

TEST(Problems, AreThrownTogetherUnderTheCodeOfTheFirst) {
  Problems problems;
  EXPECT_FALSE(problems.any());
  problems.throw_if_any();
  problems.add(ProblemId::MethodNone, "one");
  problems.collect([] { fail(ErrorCode::Io, "two"); });
  problems.collect([] {});
  problems.collect([] {
    Problems inner;
    inner.add(ProblemId::Malformed, "three");
    inner.add(ProblemId::Limit, "four");
    inner.throw_if_any();
  });
  try {
    problems.throw_if_any();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    ASSERT_EQ(error.problems().size(), 4u);
    EXPECT_EQ(error.problems()[1].code, ErrorCode::Io);
    EXPECT_EQ(
        std::string(error.what()),
        "one; " + std::string(problem_rule(ProblemId::MethodNone).remedy) + "; two; three; four");
  }
}

TEST(Problems, bad_OurOwnBugsEndTheJob) {
  Problems problems;
  EXPECT_TRUE(test::fails_with(ErrorCode::Internal, "bug", [&] {
    problems.collect([] { fail(ErrorCode::Internal, "bug"); });
  }));
  EXPECT_FALSE(problems.any());
}

bool is_word(std::string_view name) {
  return !name.empty() &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

TEST(ProblemRules, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const ProblemRule& rule : problem_rules()) {
    EXPECT_EQ(&problem_rule(rule.id), &rule);
    EXPECT_EQ(find_problem(rule.name), rule.id);
    EXPECT_TRUE(is_word(rule.name)) << rule.name;
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name << " twice";
    EXPECT_FALSE(rule.title.empty()) << rule.name;
  }
  EXPECT_EQ(find_problem("no-such-problem"), std::nullopt);
}

/// The table of docs/problems.md, as the rows have it.
std::string table() {
  std::string out = "| name | code | what is wrong | what to do |\n| --- | --- | --- | --- |\n";
  for (const ProblemRule& rule : problem_rules()) {
    out += "| `" + std::string(rule.name) + "` | " + std::string(error_code_name(rule.code)) +
           " | " + std::string(rule.title) + " | " + std::string(rule.remedy) + " |\n";
  }
  return out;
}

TEST(ProblemRules, AreInTheDocuments) {
  test::expect_table(PTEC_SOURCE_DIR "/docs/problems.md", table());
}

}  // namespace
}  // namespace ptec
