#include "partition/fuse.h"

#include <gtest/gtest.h>

#include "backends/tensorrt/partitioner.h"
#include "ir/text.h"
#include "support/bytes.h"

namespace ptec {
namespace {

archive::EngineObject engine(std::string inputs, std::string outputs) {
  archive::EngineObject object;
  object.fields = {"10",
                   "e",
                   "1%8%0%0%GPU",
                   "",
                   std::move(inputs),
                   std::move(outputs),
                   "0",
                   "",
                   "linux_x86_64",
                   "0",
                   "0",
                   "0",
                   ""};
  object.engine = Payload::of_bytes(std::vector<std::byte>(8, std::byte{1}));
  return object;
}

/// Name of the node that argument `index` of the delegate call names.
std::string argument_name(const Program& program, std::string_view call_target, std::size_t index) {
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next) {
    const Node& node = program.graph.at(id);
    if (node.target == call_target) return program.graph.at(*node.args.at(index).node()).name;
  }
  return {};
}

Program one_engine(std::string_view call, std::string inputs, std::string outputs) {
  Program program = parse_program(std::string(R"(
    method forward(%e: object "e", %x: f32[2], %y: f32[3]) {
      %c: (f32[2], f32[3]) = tensorrt::execute_engine.default()") +
                                  std::string(call) + R"(, %e)
      %c0: f32[2] = getitem(%c, 0)
      return (%c0)
    })");
  program.objects["e"] = engine(std::move(inputs), std::move(outputs));
  return program;
}

TEST(DelegateToTensorRt, OrdersBindingsByArgumentNotByName) {
  Program program = one_engine("[%y, %x]", "second%first", "a%b");
  delegate_to(program, backends::TensorRtPartitioner());
  EXPECT_EQ(program.delegates.size(), 1u);
  EXPECT_EQ(argument_name(program, kDelegateCall, 1), "x");
  EXPECT_EQ(argument_name(program, kDelegateCall, 2), "y");
  const std::string_view front = as_text(program.delegates.at(0).blob.pieces.at(0).memory());
  EXPECT_LT(front.find("\"first\""), front.find("\"second\""));
  ASSERT_EQ(program.delegates[0].compile_specs.size(), 1u);
  EXPECT_EQ(as_text(program.delegates[0].compile_specs[0].value), "cuda:1");
}

TEST(DelegateToTensorRt, KeepsResultsThatNothingUses) {
  Program program = one_engine("[%x, %y]", "p%q", "a%b");
  delegate_to(program, backends::TensorRtPartitioner());
  std::size_t getitems = 0;
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next) {
    if (program.graph.at(id).target == kGetItem) ++getitems;
  }
  EXPECT_EQ(getitems, 2u);
}

TEST(DelegateToTensorRt, PassesAValueThatFeedsTwoBindingsTwice) {
  Program program = one_engine("[%x, %x]", "p%q", "a%b");
  delegate_to(program, backends::TensorRtPartitioner());
  EXPECT_EQ(argument_name(program, kDelegateCall, 1), "x");
  EXPECT_EQ(argument_name(program, kDelegateCall, 2), "x");
}

TEST(DelegateToTensorRt, TakesTheEngineOutOfTheSignature) {
  Program program = one_engine("[%x, %y]", "p%q", "a%b");
  delegate_to(program, backends::TensorRtPartitioner());
  EXPECT_TRUE(program.objects.empty());
  ASSERT_EQ(program.inputs.size(), 2u);
  EXPECT_EQ(program.graph.at(program.inputs[0].node).name, "x");
}

TEST(DelegateToTensorRt, LeavesACallersTargetDeviceAlone) {
  Program program = one_engine("[%x, %y]", "p%q", "a%b");
  const Bytes value = as_bytes("cuda:3");
  delegate_to(program,
              backends::TensorRtPartitioner({{"target_device", {value.begin(), value.end()}}}));
  ASSERT_EQ(program.delegates[0].compile_specs.size(), 1u);
  EXPECT_EQ(as_text(program.delegates[0].compile_specs[0].value), "cuda:3");
}

}  // namespace
}  // namespace ptec
