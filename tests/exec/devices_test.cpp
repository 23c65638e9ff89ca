#include "exec/devices.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "exec/specs.h"
#include "ir/text.h"
#include "ptec/error.h"
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

std::vector<std::string> targets(const Program& program) {
  std::vector<std::string> out;
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next) {
    if (program.graph.at(id).kind == NodeKind::Call) out.push_back(program.graph.at(id).target);
  }
  return out;
}

Program two_calls() {
  return parse_program(R"(
    method forward(%x: f32[2]) {
      %a: (f32[2]) = delegate::call(0, %x)
      %a0: f32[2] = getitem(%a, 0)
      %b: (f32[2]) = delegate::call(1, %a0)
      %b0: f32[2] = getitem(%b, 0)
      return (%b0)
    })");
}

TEST(Devices, CopiesInAndOutAndKeepsWhatTwoDelegatesOfOneDeviceExchange) {
  Program program = two_calls();
  program.delegates = {on_device("cuda:0"), on_device("CUDA")};
  make_specs(program);
  const DeviceStats stats = place_devices(program);
  EXPECT_EQ(stats.host_to_device, 2);
  EXPECT_EQ(stats.device_to_host, 2);
  EXPECT_EQ(stats.round_trips_removed, 1);
  EXPECT_EQ(targets(program),
            (std::vector<std::string>{std::string(kHostToDevice),
                                      "delegate::call",
                                      "getitem",
                                      "delegate::call",
                                      "getitem",
                                      std::string(kDeviceToHost)}));
}

TEST(Devices, KeepsTheRoundTripBetweenTwoDevices) {
  Program program = two_calls();
  program.delegates = {on_device("cuda:0"), on_device("cuda:1")};
  make_specs(program);
  EXPECT_EQ(place_devices(program).round_trips_removed, 0);
  EXPECT_EQ(targets(program).size(), 8u);
}

TEST(Devices, LeavesADelegateOfTheHostAlone) {
  Program program = two_calls();
  program.delegates = {on_device("cpu"), Delegate{}};
  make_specs(program);
  EXPECT_EQ(place_devices(program).host_to_device, 0);
}

TEST(Devices, bad_TargetDeviceNamesWhatItFound) {
  for (const std::string_view text : {"gpu:0", "cuda:", "cuda:x", "cuda:-1", "cuda:128", ""}) {
    Program program = two_calls();
    program.delegates = {on_device(text), on_device(text)};
    make_specs(program);
    try {
      place_devices(program);
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
      EXPECT_NE(std::string(error.what()).find("found '" + std::string(text) + "'"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace ptec::edge
