// Programs with state in the unmodified ExecuTorch runtime: several runs of one loaded method. A
// double stands in for TensorRT and writes a pattern, so that what one run leaves in a buffer can
// be told in the next.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "ptec/export.h"
#include "tests/runtime/check_loads.h"
#include "tests/runtime/doubles.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

run::Array floats(const std::vector<float>& values) {
  run::Array out{run::find_dtype_by_name("float32"), {2, 3}, {}};
  out.bytes.resize(values.size() * sizeof(float));
  std::memcpy(out.bytes.data(), values.data(), out.bytes.size());
  return out;
}

ExpectedCall call(std::vector<run::Input> inputs, std::vector<run::Input> outputs) {
  ExpectedCall out;
  out.inputs = std::move(inputs);
  out.outputs = std::move(outputs);
  return out;
}

void expect_runs(const std::string& fixture,
                 std::vector<ExpectedCall> calls,
                 const ExportOptions& options = {}) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  export_file(fixture_path(fixture).string(), output, options);
  Expectations wanted;
  wanted.calls = std::move(calls);
  EXPECT_TRUE(check_loads(output, wanted).empty());
}

const std::vector<float> kX = {-1, 2, -3, 4, -5, 6};
const std::vector<float> kY = {1, 2, 3, 4, 5, 6};

TEST(StateRuns, ReturnsTheNewValuesOfInputsFirst) {
  // z = x * y; x.copy_(relu(x)); y.add_(x); return z, x: eager PyTorch's numbers.
  const ExpectedCall step = call({floats(kX), floats(kY)},
                                 {floats({0, 2, 0, 4, 0, 6}),
                                  floats({1, 4, 3, 8, 5, 12}),
                                  floats({-1, 4, -9, 16, -25, 36}),
                                  floats({0, 2, 0, 4, 0, 6})});
  expect_runs("mutated_inputs.pt2", {step, step});
}

TEST(StateRuns, StartsFromTheSavedValuesWhenTheyAreKept) {
  // n = k = n2 = arange(6), z = zeros; n.add_(x); z.copy_(relu(x) + z); n2.mul_(x);
  // return n * k, z: eager PyTorch's numbers over three calls. `k` has the bytes of `n`.
  ExportOptions options;
  options.init_buffers = true;
  expect_runs(
      "initial_values.pt2",
      {call({floats(kX)}, {floats({0, 3, -2, 21, -4, 55}), floats({0, 2, 0, 4, 0, 6})}),
       call({floats(kX)}, {floats({0, 5, -8, 33, -24, 85}), floats({0, 4, 0, 8, 0, 12})}),
       call({floats(kX)}, {floats({0, 7, -14, 45, -44, 115}), floats({0, 6, 0, 12, 0, 18})})},
      options);
}

/// What output `output` of delegate `load` writes into a tensor like this one.
std::vector<std::byte> pattern(const run::Array& like, std::size_t load, std::size_t output) {
  std::vector<std::byte> out;
  for (std::size_t i = 0; out.size() < like.bytes.size(); ++i) {
    const std::vector<std::byte> element = pattern_bytes(*like.dtype, load, output, i);
    out.insert(out.end(), element.begin(), element.end());
  }
  return out;
}

/// An input binding, and the output of the same delegate that is its new value.
struct State {
  std::string input;
  std::size_t output = 0;
};

/// Runs the exported fixture twice. The second time, the first delegate has to be given what it
/// wrote the first time.
void expect_carried_over(const std::string& fixture,
                         const std::vector<State>& states,
                         const ExportOptions& options = {}) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("out.pte");
  export_file(fixture_path(fixture).string(), path, options);
  Expectations wanted;
  wanted.made_up_runs = 2;
  EXPECT_TRUE(check_loads(path, wanted).empty());
  const std::vector<std::string>& names = journal().loads.at(0).parsed.input_names;
  ASSERT_EQ(journal().runs.size() % 2, 0u);
  const DelegateRun& second = journal().runs.at(journal().runs.size() / 2);
  ASSERT_EQ(second.load, 0u);
  for (const State& state : states) {
    const auto found = std::find(names.begin(), names.end(), state.input);
    ASSERT_NE(found, names.end()) << state.input;
    const run::Array& given =
        second.inputs.at(static_cast<std::size_t>(found - names.begin())).array;
    EXPECT_TRUE(given.bytes == pattern(given, 0, state.output)) << state.input;
  }
}

TEST(StateRuns, CarriesCachesThatAnEngineUpdatesInPlaceFromRunToRun) {
  expect_carried_over("small_kv_cache.pt2", {{"buf_k", 1}, {"buf_v", 2}});
  expect_carried_over("small_kv_cache.undeclared.pt2", {{"buf_k", 1}, {"buf_v", 2}});
}

TEST(StateRuns, CarriesBuffersThatAreCopiedBackFromRunToRun) {
  expect_carried_over("small_counter.pt2", {{"buf_steps", 1}, {"buf_last", 2}});
}

TEST(StateRuns, KeepsCachesOnTheDeviceWhenAskedTo) {
  ExportOptions options;
  options.device_state = true;
  expect_carried_over("small_kv_cache.pt2", {{"buf_k", 1}, {"buf_v", 2}}, options);
  // Over two runs only the token, its position and the result crossed: no cache of 512 bytes.
  ASSERT_EQ(journal().copies.size(), 6u);
  for (const DeviceCopy& copy : journal().copies) EXPECT_LE(copy.bytes.size(), 64u);
  const DelegateRun& run = journal().runs.at(1);
  for (std::size_t i = 0; i < run.inputs.size(); ++i) EXPECT_TRUE(run.inputs[i].in_device_memory);
  // An updated cache is the very tensor that went in.
  EXPECT_TRUE(run.outputs.at(1).in_device_memory);
}

TEST(StateRuns, LeavesBuffersOnTheHostThatAreCopiedBack) {
  ExportOptions options;
  options.device_state = true;
  expect_carried_over("small_counter.pt2", {{"buf_steps", 1}, {"buf_last", 2}}, options);
}

TEST(ReferenceFaults, BuffersThatDoNotChangeAndUnusedOutputsGoThroughTheDelegate) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("out.pte");
  export_file(fixture_path("fault_engine_constants.pt2").string(), path);
  Expectations wanted;
  wanted.inputs = {{"buf_k", "buf_v", "token", "position"}};
  wanted.made_up_runs = 2;
  EXPECT_TRUE(check_loads(path, wanted).empty());
  ASSERT_EQ(journal().runs.size(), 2u);
  for (const DelegateRun& run : journal().runs) {
    EXPECT_EQ(run.outputs.size(), 3u);
    // The saved value of both is zeros, run after run.
    for (std::size_t i : {0u, 1u})
      EXPECT_EQ(run.inputs[i].array.bytes, std::vector<std::byte>(512));
  }
}

TEST(ReferenceFaults, OneTensorAtTwoInputsIsGivenTwice) {
  expect_carried_over("fault_engine_same_tensor.pt2", {{"buf_k", 1}, {"buf_v", 1}});
}

TEST(ReferenceFaults, EnginesSideBySideBecomeTwoDelegates) {
  const ScratchFolder scratch;
  const std::string path = scratch.file("out.pte");
  export_file(fixture_path("fault_engines_side_by_side.pt2").string(), path);
  Expectations wanted;
  wanted.delegates = 2;
  wanted.made_up_runs = 2;
  ExpectedCall step;
  step.inputs = {run::filled_array(*run::find_dtype_by_name("float32"), {2, 16}, 1)};
  // The sum of what the two doubles write.
  run::Array sum = run::filled_array(*run::find_dtype_by_name("float32"), {2, 8}, 0);
  for (std::size_t i = 0; i < 16; ++i) {
    float parts[2] = {};
    for (std::size_t load : {0u, 1u}) {
      const std::vector<std::byte> part = pattern_bytes(*sum.dtype, load, 0, i);
      std::memcpy(&parts[load], part.data(), sizeof(float));
    }
    const float total = parts[0] + parts[1];
    std::memcpy(sum.bytes.data() + i * sizeof(float), &total, sizeof(float));
  }
  step.outputs = {sum};
  wanted.calls = {step, step};
  EXPECT_TRUE(check_loads(path, wanted).empty());
}

TEST(ReferenceFaults, ABufferTakesOverTheValueOfAnother) {
  // y = a * x; a.copy_(b); b.add_(x); return y: eager PyTorch's numbers over four calls.
  ExportOptions options;
  options.init_buffers = true;
  expect_runs("fault_buffer_from_buffer.pt2",
              {call({floats(kX)}, {floats({0, 0, 0, 0, 0, 0})}),
               call({floats(kX)}, {floats({0, 0, 0, 0, 0, 0})}),
               call({floats(kX)}, {floats({1, 4, 9, 16, 25, 36})}),
               call({floats(kX)}, {floats({2, 8, 18, 32, 50, 72})})},
              options);
}

TEST(ReferenceFaults, ANewValueMayRequireAGradient) {
  // y = a + x; a.copy_(x @ w + a); return y: eager PyTorch's numbers over four calls.
  ExportOptions options;
  options.init_buffers = true;
  expect_runs("fault_gradient_into_buffer.pt2",
              {call({floats(kX)}, {floats({-1, 2, -3, 4, -5, 6})}),
               call({floats(kX)}, {floats({-15, -14, -24, 30, 26, 48})}),
               call({floats(kX)}, {floats({-29, -30, -45, 56, 57, 90})}),
               call({floats(kX)}, {floats({-43, -46, -66, 82, 88, 132})})},
              options);
}

}  // namespace
}  // namespace ptec::test
