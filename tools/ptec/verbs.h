// The verbs of the command line tool. Each adds its options to the parser and runs when it was
// chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace ptec::cli {

/// Exit status of a process that was interrupted from the terminal (128 + SIGINT).
inline constexpr int kExitInterrupted = 130;

void add_help(CLI::App& app, int& exit_status);
void add_export(CLI::App& app, int& exit_status);
void add_inspect(CLI::App& app, int& exit_status);
void add_run(CLI::App& app, int& exit_status);

}  // namespace ptec::cli
