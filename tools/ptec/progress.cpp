#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "streams/streams.h"

namespace ptec::cli {
namespace {

constexpr auto kQuiet = std::chrono::seconds(1);
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 30;
constexpr double kMiB = 1024.0 * 1024.0;

}  // namespace

ProgressBar::ProgressBar(bool enabled) : enabled_(enabled && ::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (drawn_) print_error("\r\033[K");
}

void ProgressBar::update(std::uint64_t done_bytes, std::uint64_t total_bytes) {
  if (!enabled_ || total_bytes == 0) return;
  const Clock::time_point now = Clock::now();
  if (now - start_ < kQuiet || (drawn_ && now - last_drawn_ < kInterval)) return;
  last_drawn_ = now;
  drawn_ = true;
  const double share =
      std::min(1.0, static_cast<double>(done_bytes) / static_cast<double>(total_bytes));
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  print_error(fmt::format("\r[{}{}] {:3.0f} %  {:.0f}/{:.0f} MiB  {:.0f} MiB/s\033[K",
                          std::string(filled, '#'),
                          std::string(kBarWidth - filled, ' '),
                          share * 100,
                          static_cast<double>(done_bytes) / kMiB,
                          static_cast<double>(total_bytes) / kMiB,
                          static_cast<double>(done_bytes) / kMiB / seconds));
  std::fflush(stderr);
}

}  // namespace ptec::cli
