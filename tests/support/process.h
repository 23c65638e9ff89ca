// Runs a program and measures it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ptec::test {

struct ProcessOptions {
  std::string folder;                                            // to start in; empty: this one
  std::vector<std::pair<std::string, std::string>> environment;  // set on top of this process's
  std::optional<unsigned> umask;
  std::optional<std::uint64_t> file_size_limit_bytes;  // RLIMIT_FSIZE, with SIGXFSZ ignored
  std::optional<std::uint64_t> address_space_limit_bytes;        // RLIMIT_AS, as `ulimit -v` sets it
  std::optional<unsigned> user_id;                     // to become, where this process is root
  std::chrono::seconds time_limit{600};                // then it is killed
  /// Asked about the child's process id every 2 ms; once it says true, the child gets `signal`.
  std::function<bool(int)> signal_when;
  int signal = 0;
};

struct ProcessResult {
  int exit_status = -1;  // -1 when a signal ended it
  int signal = 0;
  bool timed_out = false;
  std::string output;
  std::string errors;
  std::uint64_t peak_memory_bytes = 0;
  std::int64_t elapsed_ns = 0;    // from before the fork to after the wait
  std::int64_t processor_ns = 0;  // user and system time
};

/// Runs `arguments[0]` with the rest and waits. Standard input is empty. The peak is that of the
/// child alone as long as this process is smaller: Linux counts what it was forked from. Throws
/// std::runtime_error when the system refuses; a program that cannot be started exits with 127.
ProcessResult run_process(const std::vector<std::string>& arguments,
                          const ProcessOptions& options = {});

}  // namespace ptec::test
