// What we export, in the unmodified ExecuTorch runtime: doubles stand in for TensorRT and for the
// GPU's memory, and check what they are given. They compute nothing, so outputs are only compared
// for the program without engines.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>

#include "ptec/export.h"
#include "tests/runtime/check_loads.h"
#include "tests/runtime/fixture_case.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string archive;
  std::size_t delegates;
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.archive; }

class ExportRuns : public testing::TestWithParam<Case> {};

std::optional<fs::path> find_archive(const std::string& name) {
  if (fs::exists(fixture_path(name))) return fixture_path(name);
  const std::optional<fs::path> shared = find_shared_dir();
  if (shared && fs::exists(*shared / "fixtures" / name)) return *shared / "fixtures" / name;
  return std::nullopt;
}

TEST_P(ExportRuns, LoadsFullyVerifiedAndHandsTheDelegatesWhatTheyNeed) {
  const std::optional<fs::path> archive = find_archive(GetParam().archive);
  if (!archive)
    GTEST_SKIP() << GetParam().archive
                 << " is not in the repository, and PTEC_SHARED_DIR names no folder";
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  export_file(archive->string(), output);
  Expectations wanted;
  wanted.delegates = GetParam().delegates;
  EXPECT_TRUE(check_loads(output, wanted).empty());
}

std::string test_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.archive;
  std::replace_if(
      name.begin(), name.end(), [](char letter) { return letter == '.' || letter == '/'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Archives,
                         ExportRuns,
                         testing::Values(Case{"mlp_static.pt2", 1},
                                         Case{"mlp_static.legacy.pt2", 1},
                                         Case{"mlp_static.saved.pt2", 1},
                                         Case{"conv_static.pt2", 1},
                                         Case{"two_engines.pt2", 2},
                                         Case{"two_engines.saved.pt2", 2},
                                         Case{"multiple_outputs.pt2", 1},
                                         Case{"input_order.pt2", 1},
                                         Case{"half.pt2", 1},
                                         Case{"bfloat16.pt2", 1},
                                         Case{"dynamic_batch.pt2", 1},
                                         Case{"shared_dims.pt2", 1},
                                         Case{"zero_engine.pt2", 0},
                                         Case{"identity.pt2", 1},
                                         Case{"tensor_only_int_inputs.pt2", 1},
                                         Case{"small_kv_cache.pt2", 1},
                                         Case{"small_kv_cache.undeclared.pt2", 1},
                                         Case{"small_kv_cache_layers.pt2", 1},
                                         Case{"small_counter.pt2", 2},
                                         Case{"mutated_input.pt2", 0},
                                         Case{"mutated_inputs.pt2", 0},
                                         Case{"initial_values.pt2", 0},
                                         Case{"models/resnet18.pt2", 1},
                                         Case{"models/bert_mini.pt2", 1},
                                         Case{"models/speech_lstm.pt2", 1}),
                         test_name);

TEST(ExportRuns, GivesEagerPyTorchsNumbersWithoutEngines) {
  PTEC_REQUIRE_SHARED_DIR(shared);
  const ScratchFolder scratch;
  const std::string output = scratch.file("zero_engine.pte");
  export_file(fixture_path("zero_engine.pt2").string(), output);
  Expectations wanted;
  wanted.calls = read_calls(shared / "fixtures" / "zero_engine.json");
  ASSERT_FALSE(wanted.calls.empty());
  EXPECT_TRUE(check_loads(output, wanted).empty());
}

}  // namespace
}  // namespace ptec::test
