// Every program of the reference exporter that we have, in the unmodified runtime. The exporter's
// own tests compare its files with these byte by byte; this one says what the bytes are worth.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "support/input_file.h"
#include "tests/runtime/check_loads.h"
#include "tests/runtime/doubles.h"
#include "tests/runtime/fixture_case.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

std::string path_of(const std::string& name) { return fixture_path(name + ".pte").string(); }

TEST(Runtime, RunsAStaticProgramWithOneEngine) {
  Expectations wanted;
  wanted.delegates = 1;
  wanted.inputs = {{"input_1"}};
  EXPECT_TRUE(check_loads(path_of("mlp_static"), wanted).empty());
  ASSERT_EQ(journal().loads.size(), 1u);
  const DelegateLoad& load = journal().loads[0];
  EXPECT_EQ(load.compile_specs,
            (std::vector<std::pair<std::string, std::string>>{{"target_device", "cuda:0"}}));
  EXPECT_EQ(load.parsed.engine.size_bytes, 17140u);
  // One input and one output cross to the device and back.
  ASSERT_EQ(journal().copies.size(), 2u);
  EXPECT_TRUE(journal().copies[0].to_device);
  EXPECT_EQ(journal().copies[0].bytes.size(), 128u);
  EXPECT_FALSE(journal().copies[1].to_device);
  EXPECT_EQ(journal().copies[1].bytes.size(), 64u);
}

TEST(Runtime, RunsTwoEnginesWithHostOperatorsBetween) {
  Expectations wanted;
  wanted.delegates = 2;
  EXPECT_TRUE(check_loads(path_of("two_engines"), wanted).empty());
  EXPECT_EQ(journal().runs.size(), 2u);
}

TEST(Runtime, RunsSmallerBatchesThanTheBound) {
  Expectations wanted;
  for (const std::int64_t batch : {1, 3, 4}) {
    ExpectedCall call;
    run::Array input = run::filled_array(*run::find_dtype_by_name("float32"), {batch, 16}, 1);
    call.inputs = {std::move(input)};
    call.delegate_output_shapes = {{batch, 8}};
    wanted.calls.push_back(std::move(call));
  }
  EXPECT_TRUE(check_loads(path_of("dynamic_batch"), wanted).empty());
  ASSERT_EQ(journal().runs.size(), 3u);
  EXPECT_EQ(journal().runs[1].inputs[0].array.shape, (std::vector<std::int64_t>{3, 16}));
}

TEST(Runtime, RunsProgramsWithSeveralInputs) {
  EXPECT_TRUE(check_loads(path_of("shared_dims")).empty());
  EXPECT_TRUE(check_loads(path_of("identity")).empty());
}

TEST(Runtime, GivesEachBindingItsOwnTensorWhateverTheOrder) {
  // The engine was built for (c, b, a); the method takes (a, b, c), and so does the delegate.
  Expectations wanted;
  wanted.inputs = {{"a", "b", "c"}};
  EXPECT_TRUE(check_loads(path_of("input_order"), wanted).empty());
  ASSERT_EQ(journal().runs.size(), 1u);
  const std::vector<DelegateArgument>& inputs = journal().runs[0].inputs;
  ASSERT_EQ(inputs.size(), 3u);
  EXPECT_EQ(inputs[0].array.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(inputs[1].array.shape, (std::vector<std::int64_t>{3, 8}));
  EXPECT_EQ(inputs[2].array.shape, (std::vector<std::int64_t>{2, 8}));
}

TEST(Runtime, bad_ADelegateThatIsNotAsExpected) {
  // The check itself has to notice.
  Expectations wrong;
  wrong.delegates = 2;
  EXPECT_NONFATAL_FAILURE(check_loads(path_of("mlp_static"), wrong), "delegates");
  wrong.delegates = 1;
  wrong.engines = {std::vector<std::byte>(17140)};
  EXPECT_NONFATAL_FAILURE(check_loads(path_of("mlp_static"), wrong), "another engine");
}

TEST(Runtime, ComputesWhatEagerModeDidWithoutAnEngine) {
  const auto bytes_of = [](const std::string& name) {
    const InputFile file = InputFile::open(fixture_path(name).string());
    return file.read_range(0, file.size_bytes(), 1024, "fixture");
  };
  const auto array =
      [&](const char* dtype, std::vector<std::int64_t> shape, const std::string& name) {
        return run::Array{run::find_dtype_by_name(dtype), std::move(shape), bytes_of(name)};
      };
  Expectations wanted;
  wanted.delegates = 0;
  ExpectedCall call;
  call.inputs = {array("float32", {2, 4}, "zero_engine.in.0.bin")};
  call.outputs = {array("float32", {2, 8}, "zero_engine.out.0.bin"),
                  array("int64", {2, 3}, "zero_engine.out.1.bin")};
  wanted.calls = {std::move(call)};
  EXPECT_TRUE(check_loads(path_of("zero_engine"), wanted).empty());
}

/// The calls of a fixture. Delegates do not compute here, so what depends on them is unknown;
/// without any, outputs are compared.
Expectations expectations_of(const std::filesystem::path& pte) {
  Expectations out;
  out.calls = read_calls(std::filesystem::path(pte).replace_extension(".json"));
  const InputFile file = InputFile::open(pte.string());
  bool engines = false;
  for (const inspect::PtePlan& plan : inspect::read_pte(file).plans)
    engines = engines || !plan.delegates.empty();
  for (ExpectedCall& call : out.calls) {
    if (engines) call.outputs.clear();
  }
  std::filesystem::path data = pte;
  data.replace_extension(".ptd");
  if (!std::filesystem::is_directory(data)) return out;
  for (const auto& entry : std::filesystem::directory_iterator(data))
    out.data_files.push_back(entry.path().string());
  return out;
}

TEST(Runtime, RunsEveryFixture) {
  PTEC_REQUIRE_SHARED_DIR(shared);
  std::vector<std::filesystem::path> programs;
  for (const auto& folder : {shared / "fixtures", shared / "fixtures" / "models"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::filesystem::path& path = entry.path();
      if (path.extension() == ".pte" && path.stem().extension() != ".legacy")
        programs.push_back(path);
    }
  }
  std::sort(programs.begin(), programs.end());
  std::vector<std::string> not_run;
  for (const std::filesystem::path& program : programs) {
    SCOPED_TRACE(program.filename().string());
    for (const std::string& method : check_loads(program.string(), expectations_of(program))) {
      not_run.push_back(program.stem().string() + ":" + method);
    }
  }
  EXPECT_GE(programs.size(), 40u);
  RecordProperty("not_run", static_cast<int>(not_run.size()));
  for (const std::string& name : not_run)
    std::cout << "not run, kernels are missing: " << name << "\n";
}

}  // namespace
}  // namespace ptec::test
