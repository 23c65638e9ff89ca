#include "exec/device_state.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "exec/devices.h"
#include "exec/specs.h"
#include "exec/write_back.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "support/bytes.h"

namespace ptec::edge {
namespace {

Delegate on_device(std::string_view device) {
  Delegate delegate;
  delegate.backend_id = "TensorRTBackend";
  const Bytes bytes = as_bytes(device);
  delegate.compile_specs.push_back(
      {"target_device", std::vector<std::byte>(bytes.begin(), bytes.end())});
  return delegate;
}

/// A lowered program whose buffer `k` the second delegate updates in place.
struct Lowered {
  Program program;
  DeviceStateStats stats;

  explicit Lowered(std::string_view text,
                   std::string_view first_device = "cuda:0",
                   const std::set<std::string, std::less<>>& updated_in_place = {"k"})
      : program(parse_program(text)) {
    program.delegates = {on_device(first_device), on_device("cuda:0")};
    const std::vector<OutputSpec> mutations = mutations_of(program);
    write_back(program);
    make_specs(program);
    stats = keep_state_on_device(program, updated_in_place);
    place_devices(program);
    alias_in_place_results(program);
    verify(program, "keep state on devices");
    verify_mutations(program, mutations);
  }

  std::vector<std::string> targets() const {
    std::vector<std::string> out;
    for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next) {
      const Node& node = program.graph.at(id);
      if (node.kind == NodeKind::Call && node.target != "getitem") out.push_back(node.target);
    }
    return out;
  }
};

constexpr std::string_view kStep = R"(
  method forward(%b_k: f32[4] buffer "k", %x: f32[2]) {
    %c: (f32[2], f32[4]) = delegate::call(1, %b_k, %x)
    %y: f32[2] = getitem(%c, 0)
    %k: f32[4] = getitem(%c, 1)
    return (%k as buffer_mutation "k", %y)
  })";

const std::string kIn(kHostToDevice);
const std::string kOut(kDeviceToHost);
const std::string kWrite(kCopyInPlace);
const std::vector<std::string> kStepOnTheHost = {kIn, kIn, "delegate::call", kOut, kOut, kWrite};

TEST(DeviceState, PlansACacheThatIsUpdatedInPlaceOnTheDevice) {
  const Lowered lowered(kStep);
  EXPECT_EQ(lowered.stats.buffers, 1);
  EXPECT_EQ(lowered.targets(), (std::vector<std::string>{kIn, "delegate::call", kOut}));
  const Program& program = lowered.program;
  const TensorSpec& buffer = program.spec(program.graph.at(program.inputs[0].node).specs.at(0));
  EXPECT_EQ(buffer.cuda_index, 0);
  // The new value is the same tensor.
}

TEST(DeviceState, StillCopiesAnUpdatedCacheToWhatReadsItOnTheHost) {
  const Lowered lowered(R"(
    method forward(%b_k: f32[4] buffer "k", %x: f32[2]) {
      %c: (f32[2], f32[4]) = delegate::call(1, %b_k, %x)
      %y: f32[2] = getitem(%c, 0)
      %k: f32[4] = getitem(%c, 1)
      %r: f32[4] = aten::relu.default(%k)
      return (%k as buffer_mutation "k", %y, %r, %k)
    })");
  EXPECT_EQ(lowered.stats.buffers, 1);
  EXPECT_EQ(lowered.targets(),
            (std::vector<std::string>{kIn, "delegate::call", kOut, kOut, "aten::relu.default"}));
}

TEST(DeviceState, LetsAnEarlierDelegateReadTheOldValueWithoutACopy) {
  const Lowered lowered(R"(
    method forward(%b_k: f32[4] buffer "k", %x: f32[2]) {
      %a: (f32[2]) = delegate::call(0, %b_k)
      %z: f32[2] = getitem(%a, 0)
      %c: (f32[2], f32[4]) = delegate::call(1, %b_k, %z)
      %y: f32[2] = getitem(%c, 0)
      %k: f32[4] = getitem(%c, 1)
      return (%k as buffer_mutation "k", %y)
    })");
  EXPECT_EQ(lowered.stats.buffers, 1);
  EXPECT_EQ(lowered.targets(),
            (std::vector<std::string>{"delegate::call", "delegate::call", kOut}));
}

TEST(DeviceState, LeavesABufferOnTheHostWhoseNewValueLiesElsewhere) {
  const Lowered lowered(kStep, "cuda:0", {});
  EXPECT_EQ(lowered.stats.buffers, 0);
  EXPECT_EQ(lowered.targets(), kStepOnTheHost);
}

TEST(DeviceState, LeavesABufferOnTheHostThatSomethingElseReads) {
  // The old value, after the update.
  EXPECT_EQ(Lowered(R"(
    method forward(%b_k: f32[4] buffer "k", %x: f32[2]) {
      %c: (f32[2], f32[4]) = delegate::call(1, %b_k, %x)
      %y: f32[2] = getitem(%c, 0)
      %k: f32[4] = getitem(%c, 1)
      %a: (f32[2]) = delegate::call(0, %b_k)
      %z: f32[2] = getitem(%a, 0)
      return (%k as buffer_mutation "k", %y, %z)
    })")
                .stats.buffers,
            0);
  constexpr std::string_view kTwoReaders = R"(
    method forward(%b_k: f32[4] buffer "k", %x: f32[2]) {
      %a: (f32[2]) = delegate::call(0, %b_k)
      %z: f32[2] = getitem(%a, 0)
      %c: (f32[2], f32[4]) = delegate::call(1, %b_k, %z)
      %y: f32[2] = getitem(%c, 0)
      %k: f32[4] = getitem(%c, 1)
      return (%k as buffer_mutation "k", %y)
    })";
  EXPECT_EQ(Lowered(kTwoReaders, "cuda:1").stats.buffers, 0);
  EXPECT_EQ(Lowered(kTwoReaders, "cpu").stats.buffers, 0);
  // An operator on the host, and another input of the same call.
  EXPECT_EQ(Lowered(R"(
    method forward(%b_k: f32[4] buffer "k", %x: f32[2]) {
      %r: f32[4] = aten::relu.default(%b_k)
      %c: (f32[2], f32[4]) = delegate::call(1, %b_k, %x)
      %y: f32[2] = getitem(%c, 0)
      %k: f32[4] = getitem(%c, 1)
      return (%k as buffer_mutation "k", %y, %r)
    })")
                .stats.buffers,
            0);
  EXPECT_EQ(Lowered(R"(
    method forward(%b_k: f32[4] buffer "k", %x: f32[2]) {
      %c: (f32[2], f32[4]) = delegate::call(1, %b_k, %b_k, %x)
      %y: f32[2] = getitem(%c, 0)
      %k: f32[4] = getitem(%c, 1)
      return (%k as buffer_mutation "k", %y)
    })")
                .stats.buffers,
            0);
}

}  // namespace
}  // namespace ptec::edge
