#include <gtest/gtest.h>

#include <string>

#include "ptec/export.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

TEST(Trace, KeepsTheProgramAfterEachStepWhenAskedTo) {
  const ScratchFolder scratch;
  ExportOptions options;
  options.trace_steps = true;
  const ExportResult result =
      export_file(fixture_path("two_engines.pt2").string(), scratch.file("out.pte"), options);
  ASSERT_FALSE(result.report.steps.empty());
  bool delegated = false;
  for (const StepReport& step : result.report.steps) {
    EXPECT_EQ(step.method, "forward");
    EXPECT_FALSE(step.text.empty()) << step.step;
    if (step.step == "delegate to TensorRT") {
      delegated = true;
      EXPECT_NE(step.text.find("delegate::call(1, "), std::string::npos) << step.text;
      EXPECT_EQ(step.text.find("tensorrt::execute_engine"), std::string::npos) << step.text;
    }
  }
  EXPECT_TRUE(delegated);
}

TEST(Trace, KeepsNoTextWhenNotAskedTo) {
  const ScratchFolder scratch;
  const ExportResult result =
      export_file(fixture_path("mlp_static.pt2").string(), scratch.file("out.pte"));
  for (const StepReport& step : result.report.steps) EXPECT_TRUE(step.text.empty());
}

}  // namespace
}  // namespace ptec::test
