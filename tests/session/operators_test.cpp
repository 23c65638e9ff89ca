// Programs of one operator each, and a few small models, from real torch.export archives: exported,
// compared with the reference's bytes, and run in the unmodified ExecuTorch runtime against what
// eager PyTorch gave. tools/make_operator_cases.py says what is in operators.zip.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptec/export.h"
#include "support/error.h"
#include "tests/session/case_zip.h"
#include "tests/session/operators_known.h"
#include "tests/support/scratch.h"

namespace ptec::test {
namespace {

const std::map<std::string, Case>& cases() {
  static const std::map<std::string, Case> all = read_case_zip("operators.zip");
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& [name, value] : cases()) out.push_back(name);
  return out;
}

class Operators : public testing::TestWithParam<std::string> {
 protected:
  const Case& value() const { return cases().at(GetParam()); }
  /// Where the program was exported to.
  std::string exported() const {
    write_bytes(scratch_.file("in.pt2"), value().archive);
    export_file(scratch_.file("in.pt2"), scratch_.file("out.pte"));
    return scratch_.file("out.pte");
  }

 private:
  ScratchFolder scratch_;
};

TEST_P(Operators, ComputesInTheRuntimeWhatEagerPyTorchDoes) {
  if (kRefused.contains(GetParam())) {
    try {
      exported();
      FAIL() << "exported, though this was not possible";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Unsupported);
      EXPECT_NE(std::string(error.what()).find(kRefused.at(GetParam())), std::string::npos)
          << error.what();
    }
    return;
  }
  Expectations wanted;
  wanted.delegates = 0;
  wanted.calls = value().calls;
  EXPECT_TRUE(check_loads(exported(), wanted).empty());
}

TEST_P(Operators, HasTheReferencesBytes) {
  if (!value().reference) GTEST_SKIP() << "the reference cannot export this program";
  if (kRefused.contains(GetParam())) return;
  expect_bytes_of(*value().reference, exported());
}

std::string test_name(const testing::TestParamInfo<std::string>& name) { return name.param; }

INSTANTIATE_TEST_SUITE_P(Cases, Operators, testing::ValuesIn(names()), test_name);

TEST(OperatorCases, AreAtLeastOneHundredAndFiftyThatRun) {
  EXPECT_GE(cases().size(), kRefused.size() + 150);
  for (const auto& [name, value] : cases()) EXPECT_GE(value.calls.size(), 3u) << name;
}

}  // namespace
}  // namespace ptec::test
