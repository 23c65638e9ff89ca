// A progress bar for work that takes longer than about a second.
#pragma once

#include <chrono>
#include <cstdint>

namespace ptec::cli {

/// Draws on stderr when that is a terminal, from the first second on, ten times a second at most;
/// wipes itself at the end.
class ProgressBar {
 public:
  explicit ProgressBar(bool enabled);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void update(std::uint64_t done_bytes, std::uint64_t total_bytes);

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_;
  bool drawn_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_drawn_ = start_;
};

}  // namespace ptec::cli
