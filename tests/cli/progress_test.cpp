#include "tools/ptec/progress.h"

#include <gtest/gtest.h>

namespace ptec::cli {
namespace {

constexpr std::uint64_t kMiB = 1024 * 1024;

TEST(Progress, ALineSaysHowFarAndHowFast) {
  EXPECT_EQ(progress_line(50 * kMiB, 200 * kMiB, 2.0, 80),
            "[#######                       ]  25 %  50/200 MiB  25 MiB/s");
}

TEST(Progress, NarrowTerminalsGetLess) {
  EXPECT_EQ(progress_line(50 * kMiB, 200 * kMiB, 2.0, 40), " 25 %  50/200 MiB  25 MiB/s");
  EXPECT_EQ(progress_line(50 * kMiB, 200 * kMiB, 2.0, 20), " 25 %  50/200 MiB");
  EXPECT_EQ(progress_line(50 * kMiB, 200 * kMiB, 2.0, 8), " 25 %");
  EXPECT_EQ(progress_line(50 * kMiB, 200 * kMiB, 2.0, 3), "");
}

TEST(Progress, NoLineReachesTheLastColumn) {
  for (std::size_t columns = 1; columns < 120; ++columns) {
    const std::string line = progress_line(3 * kMiB, 40000 * kMiB, 1.5, columns);
    EXPECT_LT(line.size(), columns);
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
  }
}

TEST(Progress, DumbTerminalsGetNoBar) {
  EXPECT_TRUE(can_redraw("xterm-256color"));
  EXPECT_FALSE(can_redraw("dumb"));
  EXPECT_FALSE(can_redraw(""));
  EXPECT_FALSE(can_redraw(nullptr));
}

}  // namespace
}  // namespace ptec::cli
