// Programs in which the reference's trace decides something that an archive doesn't show: exported,
// compared with the reference's bytes, and run in the unmodified ExecuTorch runtime against what
// eager PyTorch gave. tools/exactness_cases.py and tools/engine_cases.py say what is in the zips.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ptec/export.h"
#include "tests/runtime/check_loads.h"
#include "tests/session/case_zip.h"
#include "tests/support/scratch.h"

namespace ptec::test {
namespace {

/// The reference's own files of these fail in the runtime: docs/reference_faults.md.
const std::set<std::string> kReferenceFails = {
    "depthwise",
    "depthwise_separable",
    "depthwise_twofold",
    "depthwise_wide",
    "grey_image",
    "one_row",
    "pixel_batch_norm",
    "pixel_group_norm",
    "pixel_relu",
    "pixel_twice",
    "squeeze_by_means",
    "squeeze_excite",
    "squeeze_excite_without_norm",
};

const std::map<std::string, Case>& cases() {
  static const std::map<std::string, Case> all = [] {
    std::map<std::string, Case> out = read_case_zip("exactness.zip");
    out.merge(read_case_zip("engines.zip"));
    return out;
  }();
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& [name, value] : cases()) out.push_back(name);
  return out;
}

class Exactness : public testing::TestWithParam<std::string> {
 protected:
  const Case& value() const { return cases().at(GetParam()); }
  std::string exported() const {
    write_bytes(scratch_.file("in.pt2"), value().archive);
    export_file(scratch_.file("in.pt2"), scratch_.file("out.pte"));
    return scratch_.file("out.pte");
  }

 private:
  ScratchFolder scratch_;
};

TEST_P(Exactness, HasTheReferencesBytesUnlessThoseFail) {
  ASSERT_TRUE(value().reference);
  if (!kReferenceFails.contains(GetParam())) expect_bytes_of(*value().reference, exported());
}

TEST_P(Exactness, LoadsAndComputesWhatEagerPyTorchDoes) {
  Expectations wanted;
  wanted.calls = value().calls;
  if (!wanted.calls.empty()) wanted.delegates = 0;
  EXPECT_TRUE(check_loads(exported(), wanted).empty());
}

std::string test_name(const testing::TestParamInfo<std::string>& name) { return name.param; }

INSTANTIATE_TEST_SUITE_P(Cases, Exactness, testing::ValuesIn(names()), test_name);

}  // namespace
}  // namespace ptec::test
