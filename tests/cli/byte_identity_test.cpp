// The reference's own files: what `ptec export` writes is compared with them byte by byte.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/cli/cli.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

namespace fs = std::filesystem;

// Every archive: its case, and which of the three ways of saving it.
const std::vector<std::string> kArchives = {
    "mlp_static.pt2",
    "mlp_static.legacy.pt2",
    "mlp_static.saved.pt2",
    "conv_static.pt2",
    "conv_static.legacy.pt2",
    "two_engines.pt2",
    "two_engines.legacy.pt2",
    "two_engines.saved.pt2",
    "multiple_outputs.pt2",
    "multiple_outputs.legacy.pt2",
    "input_order.pt2",
    "input_order.legacy.pt2",
    "half.pt2",
    "half.legacy.pt2",
    "bfloat16.pt2",
    "bfloat16.legacy.pt2",
    "dynamic_batch.pt2",
    "dynamic_batch.legacy.pt2",
    "dynamic_batch.saved.pt2",
    "shared_dims.pt2",
    "shared_dims.legacy.pt2",
    "zero_engine.pt2",
    "identity.pt2",
    "identity.legacy.pt2",
    "tensor_only_int_inputs.pt2",
    "tensor_only_int_inputs.legacy.pt2",
    "fallback_ops.pt2",
    "small_kv_cache.pt2",
    "small_kv_cache.undeclared.pt2",
    "small_kv_cache_layers.pt2",
    "small_counter.pt2",
    "mutated_input.pt2",
    "mutated_inputs.pt2",
    "initial_values.pt2",
    "counter.pt2",
    "counter.legacy.pt2",
    "kv_cache_copy.pt2",
    "kv_cache_copy.legacy.pt2",
    "kv_cache_index_copy.pt2",
    "kv_cache_index_copy.legacy.pt2",
    "kv_cache_slice_scatter.pt2",
    "kv_cache_slice_scatter.legacy.pt2",
    "models/ring_buffer.pt2",
    "models/ring_buffer.legacy.pt2",
    "models/ring_buffer.saved.pt2",
    "fallback_erfinv.pt2",
    "fallback_erfinv.legacy.pt2",
    "models/yolo.pt2",
    "models/yolo.legacy.pt2",
    "models/resnet18.pt2",
    "models/resnet18.legacy.pt2",
    "models/bert_mini.pt2",
    "models/bert_mini.legacy.pt2",
    "models/speech_lstm.pt2",
    "models/speech_lstm.legacy.pt2",
};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// The file in the repository, or else in the shared folder.
std::optional<fs::path> find_file(const std::string& name) {
  std::vector<fs::path> places = {fixture_path(fs::path(name).filename().string()),
                                  fs::path(PTEC_SAMPLES_DIR) / name};
  if (const auto shared = find_shared_dir()) places.push_back(*shared / "fixtures" / name);
  for (const fs::path& place : places) {
    if (fs::exists(place)) return place;
  }
  return std::nullopt;
}

// A case has a second program only where the legacy exporter's differs.
std::optional<fs::path> find_expected(const std::string& archive) {
  const std::string name = archive.substr(0, archive.find('.'));
  if (ends_with(archive, ".legacy.pt2")) {
    if (const auto legacy = find_file(name + ".legacy.pte")) return legacy;
  }
  return find_file(name + ".pte");
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string out;
  for (const char c : info.param) out.push_back(c == '.' || c == '/' ? '_' : c);
  return out;
}

class ByteIdentity : public testing::TestWithParam<std::string> {};

TEST_P(ByteIdentity, EqualsTheReferenceFile) {
  const std::optional<fs::path> archive = find_file(GetParam());
  if (!archive) {
    GTEST_SKIP() << "the repository does not carry " << GetParam()
                 << ", and PTEC_SHARED_DIR names no folder that has it";
  }
  const std::optional<fs::path> expected = find_expected(GetParam());
  ASSERT_TRUE(expected) << "no reference program for " << GetParam();

  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  const ProcessResult result = run_export(archive->string(), output);
  ASSERT_EQ(result.exit_status, 0) << result.errors;
  EXPECT_EQ(result.output, "");

  const std::string ours = read_file(output);
  const std::string theirs = read_file(*expected);
  EXPECT_EQ(ours.size(), theirs.size());
  const auto difference =
      std::mismatch(ours.begin(), ours.end(), theirs.begin(), theirs.end()).first - ours.begin();
  EXPECT_TRUE(ours == theirs) << "the first difference is at byte " << difference;
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"out.pte"});
}

INSTANTIATE_TEST_SUITE_P(Reference, ByteIdentity, testing::ValuesIn(kArchives), test_name);

}  // namespace
}  // namespace ptec::test
