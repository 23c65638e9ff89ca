// `ptec`: ExecuTorch programs from PyTorch programs with TensorRT engines.
#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <CLI/CLI.hpp>
#include <climits>
#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "ptec/error.h"
#include "ptec/version.h"
#include "usage/usage.h"
#include "verbs.h"

namespace {

int report(const ptec::Error& error) {
  for (const std::string& problem : error.problems())
    fmt::print(stderr, "ptec: error: {}\n", problem);
  return ptec::error_code_exit_status(error.code());
}

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
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "ptec: error: {}\n", ptec::cli::usage_message(app, error));
    return ptec::error_code_exit_status(ptec::ErrorCode::InvalidArgument);
  }
  return exit_status;
}

// A short-lived process gains nothing from giving memory back between steps.
void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_TRIM_THRESHOLD, INT_MAX);
  ::mallopt(M_TOP_PAD, 4 << 20);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  keep_freed_memory();
  try {
    return run(argc, argv);
  } catch (const ptec::Error& error) {
    return report(error);
  } catch (const std::bad_alloc&) {
    return report(ptec::Error(ptec::ErrorCode::Limit, "out of memory"));
  } catch (const std::exception& error) {
    return report(
        ptec::Error(ptec::ErrorCode::Internal, std::string("unexpected failure: ") + error.what()));
  }
}
