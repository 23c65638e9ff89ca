// Engines over 2 GiB and over 4 GiB, where 32-bit sizes and offsets end. Each archive is gone
// before the next is written, so that 12 GiB of disk are enough.
#include <gtest/gtest.h>

#include "tests/cli/large_engine.h"

namespace ptec::test {
namespace {

TEST(HugeEngine, TwoAndAHalfGiBSurviveInATorchbindObject) {
  expect_engine_survives(
      {.engine_size_bytes = 2560 * kMiB, .form = RecordForm::TorchBind, .seed = 21}, 7 * kGiB);
}

TEST(HugeEngine, TwoAndAHalfGiBSurviveInABarePickle) {
  expect_engine_survives(
      {.engine_size_bytes = 2560 * kMiB, .form = RecordForm::Pickle4, .seed = 22}, 7 * kGiB);
}

TEST(HugeEngine, FourAndAHalfGiBSurviveInATorchbindObject) {
  expect_engine_survives(
      {.engine_size_bytes = 4608 * kMiB, .form = RecordForm::TorchBind, .seed = 23}, 12 * kGiB);
}

TEST(HugeEngine, FourAndAHalfGiBSurviveInABarePickle) {
  expect_engine_survives(
      {.engine_size_bytes = 4608 * kMiB, .form = RecordForm::Pickle4, .seed = 24}, 12 * kGiB);
}

}  // namespace
}  // namespace ptec::test
