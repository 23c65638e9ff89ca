#include "exec/write_back.h"

#include <gtest/gtest.h>

#include "edge/check.h"
#include "exec/specs.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ptec/error.h"

namespace ptec::edge {
namespace {

std::string body_after(std::string_view text, WriteBackStats* stats = nullptr) {
  Program program = parse_program(text);
  const WriteBackStats found = write_back(program);
  if (stats != nullptr) *stats = found;
  verify(program, "write back");
  const std::string printed = print_program(program);
  const std::size_t begin = printed.find("{\n") + 2;
  return printed.substr(begin, printed.rfind('}') - begin);
}

TEST(WriteBack, CopiesEachNewValueBeforeTheOutputInItsOrder) {
  WriteBackStats stats;
  EXPECT_EQ(body_after(R"(
    method forward(%b_a: f32[2] buffer "a", %b_b: f32[2] buffer "b", %x: f32[2]) {
      %m: f32[2] = aten::mul.Tensor(%b_a, %x)
      %n: f32[2] = aten::add.Tensor(%b_b, %x)
      return (%n as buffer_mutation "b", %m as buffer_mutation "a", %m)
    })",
                       &stats),
            R"(  %m: f32[2] = aten::mul.Tensor(%b_a, %x)
  %n: f32[2] = aten::add.Tensor(%b_b, %x)
  %copy_: f32[2] = aten::copy_.default(%b_b, %n)
  %copy__1: f32[2] = aten::copy_.default(%b_a, %m)
  return (%copy_ as buffer_mutation "b", %copy__1 as buffer_mutation "a", %m)
)");
  EXPECT_EQ(stats.written, 2);
  EXPECT_EQ(stats.snapshots, 0);
}

TEST(WriteBack, WritesToAnInputOfTheCallerAndReturnsIt) {
  EXPECT_EQ(body_after(R"(
    method forward(%x: f32[2]) {
      %y: f32[2] = aten::relu.default(%x)
      %c: f32[2] = aten::copy.default(%x, %y)
      return (%c as user_input_mutation "x", %y)
    })"),
            R"(  %y: f32[2] = aten::relu.default(%x)
  %c: f32[2] = aten::copy.default(%x, %y)
  %copy_: f32[2] = aten::copy_.default(%x, %c)
  return (%copy_ as user_input_mutation "x", %y)
)");
}

TEST(WriteBack, LeavesABufferAloneThatIsItsOwnNewValue) {
  WriteBackStats stats;
  body_after(R"(
    method forward(%b_a: f32[2] buffer "a", %x: f32[2]) {
      return (%b_a as buffer_mutation "a", %x)
    })",
             &stats);
  EXPECT_EQ(stats.written, 0);
}

TEST(WriteBack, TakesAnotherBufferForANewValueLikeAnyOther) {
  // The reference takes any buffer for the target's own, and drops the mutation.
  EXPECT_EQ(body_after(R"(
    method forward(%b_a: f32[2] buffer "a", %b_b: f32[2] buffer "b", %x: f32[2]) {
      %m: f32[2] = aten::mul.Tensor(%b_b, %x)
      return (%b_b as buffer_mutation "a", %m as buffer_mutation "b", %m)
    })"),
            R"(  %m: f32[2] = aten::mul.Tensor(%b_b, %x)
  %copy_: f32[2] = aten::copy_.default(%b_a, %b_b)
  %copy__1: f32[2] = aten::copy_.default(%b_b, %m)
  return (%copy_ as buffer_mutation "a", %copy__1 as buffer_mutation "b", %m)
)");
}

TEST(WriteBack, KeepsTheOldValueThatALaterWriteAndAResultStillNeed) {
  WriteBackStats stats;
  EXPECT_EQ(body_after(R"(
    method forward(%b_a: f32[2] buffer "a", %b_b: f32[2] buffer "b") {
      return (%b_b as buffer_mutation "a", %b_a as buffer_mutation "b", %b_a)
    })",
                       &stats),
            R"(  %copy: f32[2] = aten::copy.default(%b_a, %b_a)
  %copy_1: f32[2] = aten::copy.default(%b_a, %b_a)
  %copy_: f32[2] = aten::copy_.default(%b_a, %b_b)
  %copy__1: f32[2] = aten::copy_.default(%b_b, %copy)
  return (%copy_ as buffer_mutation "a", %copy__1 as buffer_mutation "b", %copy_1)
)");
  EXPECT_EQ(stats.snapshots, 2);
}

TEST(WriteBack, KeepsTheOldValueBehindAView) {
  WriteBackStats stats;
  body_after(R"(
    method forward(%b_a: f32[2] buffer "a", %b_b: f32[2,1] buffer "b", %x: f32[2]) {
      %v: f32[2,1] = aten::view_copy.default(%b_a, [2, 1])
      return (%x as buffer_mutation "a", %v as buffer_mutation "b")
    })",
             &stats);
  EXPECT_EQ(stats.snapshots, 1);
}

Program written() {
  Program program = parse_program(R"(
    method forward(%b_a: f32[2] buffer "a", %x: f32[2]) {
      %m: f32[2] = aten::mul.Tensor(%b_a, %x)
      return (%m as buffer_mutation "a", %m)
    })");
  return program;
}

TEST(VerifyMutations, AcceptsWhatIsWrittenBack) {
  Program program = written();
  const std::vector<OutputSpec> wanted = mutations_of(program);
  write_back(program);
  make_specs(program);
  alias_in_place_results(program);
  verify_mutations(program, wanted);
}

TEST(VerifyMutations, bad_NamesAMutationThatVanished) {
  const auto expect_lost = [](Program& program, const std::vector<OutputSpec>& wanted) {
    try {
      verify_mutations(program, wanted);
      FAIL() << "the lost mutation was not noticed";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Internal);
      EXPECT_NE(std::string(error.what()).find("the new value of 'a' is not written to it"),
                std::string::npos)
          << error.what();
    }
  };
  Program unwritten = written();
  make_specs(unwritten);
  expect_lost(unwritten, mutations_of(unwritten));

  Program forgotten = written();
  const std::vector<OutputSpec> wanted = mutations_of(forgotten);
  write_back(forgotten);
  make_specs(forgotten);
  alias_in_place_results(forgotten);
  forgotten.outputs[0] = {};
  expect_lost(forgotten, wanted);
}

void expect_refused(std::string_view text, std::string_view wanted) {
  try {
    check_exportable(parse_program(text));
    FAIL() << "accepted: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_EQ(std::string(error.what()), wanted);
  }
}

TEST(Mutations, bad_AParameterThatChanges) {
  expect_refused(R"(
    method forward(%p_w: f32[2] parameter "w", %x: f32[2]) {
      %m: f32[2] = aten::mul.Tensor(%p_w, %x)
      return (%m as parameter_mutation "w")
    })",
                 "the program mutates parameter 'w'; register what changes as a buffer instead");
}

TEST(Mutations, bad_ANewValueOfAnotherKind) {
  expect_refused(R"(
    method forward(%b_a: i64[2] buffer "a", %x: f32[2]) {
      return (%x as buffer_mutation "a")
    })",
                 "the new value of 'a' is float32 of rank 1, wanted int64 of rank 1 as before");
  expect_refused(R"(
    method forward(%b_a: f32[2] buffer "a", %x: f32[2]) {
      return (1.0 as buffer_mutation "a")
    })",
                 "the program mutates 'a', but the new value is no tensor");
}

}  // namespace
}  // namespace ptec::edge
