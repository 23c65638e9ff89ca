// The options of `ptec run`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace ptec::cli {

/// A program states what it needs, and a small one may state anything.
inline constexpr std::uint64_t kDefaultMaxMemoryBytes = std::uint64_t{1} << 30;

struct RunOptions {
  std::string file;
  std::string method;
  std::vector<std::string> inputs;             // behind --input
  std::vector<std::string> positional_inputs;  // behind the file
  std::vector<std::string> data_files;
  std::string output_folder;
  bool full = false;
  std::uint64_t max_memory_bytes = kDefaultMaxMemoryBytes;
};

inline constexpr char kRunDescription[] =
    "Load a program (.pte) in the ExecuTorch runtime and run it on the CPU";

/// `options` outlives `app`.
void add_run_options(CLI::App& app, RunOptions& options);

/// What `ptec run --help` prints.
std::string run_help();

}  // namespace ptec::cli
