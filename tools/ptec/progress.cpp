#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "streams/streams.h"

namespace ptec::cli {
namespace {

constexpr auto kQuiet = std::chrono::seconds(1);
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr std::size_t kBarWidth = 30;
constexpr std::size_t kUsualColumns = 80;
constexpr double kMiB = 1024.0 * 1024.0;

/// Asked for every line, since windows change their size.
std::size_t terminal_columns() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualColumns;
  return size.ws_col;
}

}  // namespace

std::string progress_line(std::uint64_t done_bytes,
                          std::uint64_t total_bytes,
                          double seconds,
                          std::size_t columns) {
  const double share =
      std::min(1.0, static_cast<double>(done_bytes) / static_cast<double>(total_bytes));
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(kBarWidth));
  const std::string bar =
      fmt::format("[{}{}] ", std::string(filled, '#'), std::string(kBarWidth - filled, ' '));
  const std::string percent = fmt::format("{:3.0f} %", share * 100);
  const std::string sizes = fmt::format("  {:.0f}/{:.0f} MiB",
                                        static_cast<double>(done_bytes) / kMiB,
                                        static_cast<double>(total_bytes) / kMiB);
  const std::string speed =
      seconds > 0 ? fmt::format("  {:.0f} MiB/s", static_cast<double>(done_bytes) / kMiB / seconds)
                  : "";
  for (const std::string& line :
       {bar + percent + sizes + speed, percent + sizes + speed, percent + sizes, percent}) {
    if (line.size() < columns) return line;
  }
  return "";
}

bool can_redraw(const char* terminal) {
  return terminal != nullptr && *terminal != '\0' && std::string_view(terminal) != "dumb";
}

ProgressBar::ProgressBar(bool enabled)
    : enabled_(enabled && ::isatty(STDERR_FILENO) == 1 && can_redraw(std::getenv("TERM"))) {}

ProgressBar::~ProgressBar() {
  if (!drawn_) return;
  draw("");
  print_error("\r");
}

/// Spaces cover what is left of a longer line before.
void ProgressBar::draw(const std::string& line) {
  const std::size_t columns = terminal_columns();
  const std::size_t width =
      std::max(line.size(), std::min(drawn_columns_, columns == 0 ? 0 : columns - 1));
  print_error(fmt::format("\r{:<{}}", line, width));
  drawn_columns_ = line.size();
}

void ProgressBar::update(std::uint64_t done_bytes, std::uint64_t total_bytes) {
  if (!enabled_ || total_bytes == 0) return;
  const Clock::time_point now = Clock::now();
  if (now - start_ < kQuiet || (drawn_ && now - last_drawn_ < kInterval)) return;
  last_drawn_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  draw(progress_line(done_bytes, total_bytes, seconds, terminal_columns()));
  std::fflush(stderr);
}

}  // namespace ptec::cli
