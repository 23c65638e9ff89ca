#include "edge/engine_mutations.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ir/verify.h"
#include "ptec/error.h"
#include "support/payload.h"

namespace ptec::edge {
namespace {

/// A program whose engine objects take inputs and give outputs of these names; `aliases` as the
/// record has them.
Program with_engine(std::string_view text,
                    std::string_view inputs,
                    std::string_view outputs,
                    std::string_view aliases) {
  Program program = parse_program(text);
  for (auto& [fqn, object] : program.objects) {
    object.encoding = archive::EngineEncoding::TorchBind;
    object.fields = {"10",
                     "engine",
                     "0%8%0%0%GPU",
                     "",
                     std::string(inputs),
                     std::string(outputs),
                     "0",
                     "",
                     "linux_x86_64",
                     "0",
                     "0",
                     "0",
                     std::string(aliases)};
    object.engine = Payload::of_bytes(std::vector<std::byte>(4));
  }
  return program;
}

constexpr std::string_view kUndeclared = R"(
  method forward(%b_k: f32[4] buffer "k", %b_v: f32[4] buffer "v", %e: object "e", %x: f32[2]) {
    %c: (f32[2]) = tensorrt::execute_engine.default([%x, %b_k, %b_v], %e)
    %y: f32[2] = getitem(%c, 0)
    return (%y)
  })";

std::string body(const Program& program) {
  const std::string printed = print_program(program);
  const std::size_t begin = printed.find("{\n") + 2;
  return printed.substr(begin, printed.rfind('}') - begin);
}

TEST(EngineMutations, DeclaresWhatTheTraceLeftOutAheadOfTheOutputs) {
  Program program =
      with_engine(kUndeclared, "x%k%v", "y%k2%v2", "v2@v@kv_cache_update%k2@k@kv_cache_update");
  const EngineMutationStats stats = declare_engine_mutations(program);
  EXPECT_EQ(stats.declared, 2);
  EXPECT_EQ(stats.updated_in_place, (std::set<std::string, std::less<>>{"k", "v"}));
  verify(program, "declare engine mutations");
  EXPECT_EQ(
      body(program),
      R"(  %c: (f32[2], f32[4], f32[4]) = tensorrt::execute_engine.default([%x, %b_k, %b_v], %e)
  %y: f32[2] = getitem(%c, 0)
  %getitem: f32[4] = getitem(%c, 1)
  %getitem_1: f32[4] = getitem(%c, 2)
  return (%getitem as buffer_mutation "k", %getitem_1 as buffer_mutation "v", %y)
)");
  const EngineMutationStats again = declare_engine_mutations(program);
  EXPECT_EQ(again.declared, 0);
  EXPECT_EQ(again.updated_in_place, stats.updated_in_place);
}

TEST(EngineMutations, DeclaresAnInputOfTheCaller) {
  Program program = with_engine(R"(
    method forward(%e: object "e", %x: f32[2], %cache: f32[4]) {
      %c: (f32[2]) = tensorrt::execute_engine.default([%x, %cache], %e)
      %y: f32[2] = getitem(%c, 0)
      return (%y)
    })",
                                "x%k",
                                "y%k2",
                                "k2@k@user");
  EXPECT_EQ(declare_engine_mutations(program).declared, 1);
  verify(program, "declare engine mutations");
  ASSERT_EQ(program.outputs.size(), 2u);
  EXPECT_EQ(program.outputs[0].kind, OutputKind::UserInputMutation);
  EXPECT_EQ(program.outputs[0].target, "cache");
}

TEST(EngineMutations, LeavesAProgramWithoutAliasesAlone) {
  Program program = with_engine(R"(
    method forward(%e: object "e", %x: f32[2]) {
      %c: (f32[2]) = tensorrt::execute_engine.default([%x], %e)
      %y: f32[2] = getitem(%c, 0)
      return (%y)
    })",
                                "x",
                                "y",
                                "");
  const std::string before = print_program(program);
  EXPECT_EQ(declare_engine_mutations(program).declared, 0);
  EXPECT_EQ(print_program(program), before);
}

void expect_refused(Program program, std::string_view wanted) {
  try {
    declare_engine_mutations(program);
    FAIL() << "accepted: " << print_program(program);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Unsupported);
    EXPECT_NE(std::string(error.what()).find(wanted), std::string::npos) << error.what();
  }
}

TEST(EngineMutations, bad_AParameterThatAnEngineUpdates) {
  expect_refused(with_engine(R"(
    method forward(%p_w: f32[4] parameter "w", %e: object "e", %x: f32[2]) {
      %c: (f32[2]) = tensorrt::execute_engine.default([%x, %p_w], %e)
      %y: f32[2] = getitem(%c, 0)
      return (%y)
    })",
                             "x%k",
                             "y%k2",
                             "k2@k@user"),
                 "node 'c': output 'k2' updates 'p_w' in place (input binding 'k'), which is "
                 "neither a buffer nor an input of the program");
}

TEST(EngineMutations, bad_TwoEnginesThatUpdateOneBuffer) {
  expect_refused(with_engine(R"(
    method forward(%b_k: f32[4] buffer "k", %e: object "e", %f: object "f", %x: f32[2]) {
      %c: (f32[2]) = tensorrt::execute_engine.default([%x, %b_k], %e)
      %y: f32[2] = getitem(%c, 0)
      %d: (f32[2]) = tensorrt::execute_engine.default([%y, %b_k], %f)
      %z: f32[2] = getitem(%d, 0)
      return (%z)
    })",
                             "x%k",
                             "y%k2",
                             "k2@k@kv_cache_update"),
                 "node 'd': output 'k2' updates 'k' in place, which something else updates too; "
                 "give each engine a buffer of its own");
}

TEST(EngineMutations, bad_AMissingResultWithMemoryOfItsOwn) {
  Program program = with_engine(kUndeclared, "x%k%v", "y%z%v2", "v2@v@kv_cache_update");
  try {
    declare_engine_mutations(program);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Malformed);
    EXPECT_STREQ(error.what(),
                 "node 'c': the call has 1 results, but the engine has 3 output binding names");
  }
}

}  // namespace
}  // namespace ptec::edge
