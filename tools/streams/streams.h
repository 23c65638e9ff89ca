// Standard output and standard error of a tool, which may be closed, full or a broken pipe.
#pragma once

#include <string_view>

#include "ptec/error.h"

namespace ptec::cli {

/// To be called first. A file that is opened must not become a standard stream because that was
/// closed, and a file that grows past its limit is an error, not the end of the process.
void prepare_streams();

/// Appends to standard output. Throws Io when the system refuses.
void print_out(std::string_view text);

/// Throws Io when something of what was printed did not get out. Whatever is printed needs it at
/// the end.
void flush_out();

/// Appends to standard error. What cannot be written there cannot be said anywhere.
void print_error(std::string_view text) noexcept;

/// A line `ptec: error: ...` for each problem. Returns the exit status of the error's code.
int report(const Error& error) noexcept;

/// Runs `tool` with an edge around it: what it throws is reported, and what it printed is flushed.
/// Returns the exit status.
int run_reporting(int (*tool)(int argc, char** argv), int argc, char** argv) noexcept;

}  // namespace ptec::cli
