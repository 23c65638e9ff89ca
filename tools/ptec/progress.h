// A progress bar for work that takes longer than about a second.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ptec::cli {

/// A line about the work so far that is shorter than `columns`: of the bar, the sizes and the speed
/// it has what fits. Plain characters only, whatever NO_COLOR says.
std::string progress_line(std::uint64_t done_bytes,
                          std::uint64_t total_bytes,
                          double seconds,
                          std::size_t columns);

/// Whether a terminal of this kind (TERM; null when unset) can go back to the start of a line.
bool can_redraw(const char* terminal);

/// Draws on stderr when that is a terminal that can redraw a line, from the first second on, ten
/// times a second at most; wipes itself at the end with spaces.
class ProgressBar {
 public:
  explicit ProgressBar(bool enabled);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::uint64_t done_bytes, std::uint64_t total_bytes);

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const std::string& line);

  bool enabled_;
  bool drawn_ = false;
  std::size_t drawn_columns_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_drawn_ = start_;
};

}  // namespace ptec::cli
