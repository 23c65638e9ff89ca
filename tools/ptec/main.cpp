// `ptec`: ExecuTorch programs from PyTorch programs with TensorRT engines.
#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef PTEC_MIMALLOC
#include <mimalloc.h>
#endif

#include <CLI/CLI.hpp>
#include <climits>
#include <sstream>
#include <string>

#include "memory/out_of_memory.h"
#include "ptec/error.h"
#include "ptec/version.h"
#include "streams/streams.h"
#include "usage/usage.h"
#include "verbs.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app(
      "Exports PyTorch programs whose heavy parts are TensorRT engines (.pt2) to ExecuTorch "
      "programs (.pte).",
      "ptec");
  app.set_version_flag(
      "--version", "ptec " + std::string(ptec::version()), "Print the version and exit");
  app.require_subcommand(1);
  int exit_status = 0;
  ptec::cli::add_export(app, exit_status);
  ptec::cli::add_inspect(app, exit_status);
  ptec::cli::add_run(app, exit_status);
  ptec::cli::add_help(app, exit_status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    std::ostringstream text;
    const int exit_success = app.exit(success, text, text);
    ptec::cli::print_out(text.str());
    return exit_success;
  } catch (const CLI::ParseError& error) {
    throw ptec::Error(ptec::ErrorCode::InvalidArgument, ptec::cli::usage_message(app, error));
  }
  return exit_status;
}

// A short-lived process gains nothing from giving memory back between steps.
void keep_freed_memory() {
#ifdef PTEC_MIMALLOC
  ::mi_option_enable(
      mi_option_large_os_pages);  // large graphs spend a sixth of their time on page faults
#endif
#ifdef __GLIBC__
  ::mallopt(M_TRIM_THRESHOLD, INT_MAX);
  ::mallopt(M_TOP_PAD, 4 << 20);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  ptec::cli::expect_out_of_memory();
  keep_freed_memory();
  ptec::cli::prepare_streams();
  return ptec::cli::run_reporting(run, argc, argv);
}
