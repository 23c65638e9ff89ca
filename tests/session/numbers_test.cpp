// Numbers of programs that the options change, or of several methods, in the unmodified runtime:
// equal to eager PyTorch's.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "ptec/export.h"
#include "tests/runtime/check_loads.h"
#include "tests/runtime/fixture_case.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

Expectations calls_of(const std::string& name) {
  Expectations out;
  out.calls = read_calls(fixture_path(name + ".json"));
  EXPECT_FALSE(out.calls.empty()) << name;
  return out;
}

void expect_eager_numbers(const std::string& name, const ExportOptions& options) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  const ExportResult result = export_file(fixture_path(name + ".pt2").string(), output, options);
  for (const std::string& warning : result.report.warnings) ADD_FAILURE() << warning;
  EXPECT_TRUE(check_loads(output, calls_of(name)).empty());
}

TEST(Numbers, OfSortsLoweredToTopkWithNansZerosAndInfinities) {
  ExportOptions options;
  options.lower_missing = true;
  expect_eager_numbers("kernels/sorts", options);
}

TEST(Numbers, OfEveryLoweringOfAMissingKernel) {
  ExportOptions options;
  options.lower_missing = true;
  options.require_kernels = true;
  expect_eager_numbers("kernels/lowered", options);
}

TEST(Numbers, OfDimensionsBoundedByHandAtAndBelowTheBound) {
  ExportOptions options;
  options.max_sizes = {{"s10", 8}, {"a_1.0", 16}};
  expect_eager_numbers("bounds/unbounded", options);
}

TEST(Numbers, OfDerivedDimensions) { expect_eager_numbers("bounds/derived_dims", {}); }

/// Everything that can be is put into two files.
std::vector<std::string> export_with_data(const std::vector<MethodSource>& methods,
                                          const std::string& output) {
  ExportOptions options;
  options.external_file = [](const ConstantInfo& constant) -> std::optional<std::string> {
    return constant.name.size() % 2 == 0 ? "even" : "odd";
  };
  const ExportResult result = export_methods(methods, output, options);
  std::vector<std::string> files;
  for (std::size_t i = 1; i < result.report.outputs.size(); ++i)
    files.push_back(result.report.outputs[i].path);
  EXPECT_FALSE(files.empty());
  return files;
}

TEST(Numbers, OfConstantsBesideTheProgram) {
  // In external_view they are seen in other shapes, which the reference cannot export.
  for (const char* name : {"external/external_kinds", "external/external_view"}) {
    const ScratchFolder scratch;
    Expectations wanted = calls_of(name);
    wanted.data_files = export_with_data(
        {{"forward", fixture_path(std::string(name) + ".pt2").string()}}, scratch.file("out.pte"));
    EXPECT_TRUE(check_loads(scratch.file("out.pte"), wanted).empty()) << name;
  }
}

TEST(Numbers, OfConstantsBesideAProgramOfThreeMethods) {
  const ScratchFolder scratch;
  Expectations wanted = calls_of("methods_shared");
  std::vector<MethodSource> methods;
  for (const char* name : {"summarise text", "b-2", "Zoom"})
    methods.push_back(
        {name, fixture_path(std::string("methods_shared.") + name + ".pt2").string()});
  wanted.data_files = export_with_data(methods, scratch.file("out.pte"));
  EXPECT_TRUE(check_loads(scratch.file("out.pte"), wanted).empty());
}

TEST(Numbers, OfThreeMethodsWithConstantsInCommon) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  std::vector<MethodSource> methods;
  for (const char* name : {"summarise text", "b-2", "Zoom"})
    methods.push_back(
        {name, fixture_path(std::string("methods_shared.") + name + ".pt2").string()});
  export_methods(methods, output);
  EXPECT_TRUE(check_loads(output, calls_of("methods_shared")).empty());
}

}  // namespace
}  // namespace ptec::test
