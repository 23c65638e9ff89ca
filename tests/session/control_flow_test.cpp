// Control flow from real archives, byte by byte. tests/fixtures/control_flow has what the reference
// exporter made of each archive that it takes.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <ostream>
#include <string>

#include "ptec/export.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string case_path(const std::string& name) {
  return fixture_path("control_flow/" + name).string();
}

std::string exported(const std::string& name) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  export_file(case_path(name + ".pt2"), output);
  return bytes_of(output);
}

class SameAsReference : public testing::TestWithParam<std::string> {};

TEST_P(SameAsReference, ByteForByte) {
  EXPECT_TRUE(exported(GetParam()) == bytes_of(case_path(GetParam() + ".pte")));
}

INSTANTIATE_TEST_SUITE_P(ControlFlow,
                         SameAsReference,
                         testing::Values("cond_both_sides",
                                         "cond_dynamic",
                                         "cond_in_map",
                                         "cond_nested",
                                         "cond_weights",
                                         "map_in_cond",
                                         "map_slices",
                                         "scan_carries"),
                         [](const auto& test) { return test.param; });

TEST(ControlFlow, SameBytesEachTime) {
  for (const char* name : {"while_turns", "cond_around_others", "scan_dynamic"})
    EXPECT_TRUE(exported(name) == exported(name)) << name;
}

}  // namespace
}  // namespace ptec::test
