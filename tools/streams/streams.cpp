#include "streams/streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>

namespace ptec::cli {
namespace {

/// Nobody reads any further, and nobody wants to hear of it.
class BrokenPipe : public Error {
 public:
  BrokenPipe() : Error(ErrorCode::Io, "broken pipe") {}
};

[[noreturn]] void fail_out() {
  const int error = errno;
  if (error == EPIPE) throw BrokenPipe();
  throw Error(ErrorCode::Io,
              fmt::format("cannot write to standard output: {}", std::strerror(error)));
}

int report_stray(std::string_view what) noexcept {
  print_error("ptec: error: unexpected failure: ");
  print_error(what);
  print_error("\n");
  return error_code_exit_status(ErrorCode::Internal);
}

}  // namespace

void prepare_streams() {
  std::signal(SIGXFSZ, SIG_IGN);
  // Read-only, so that writing to what was closed still fails.
  int opened = 0;
  do {
    opened = ::open("/dev/null", O_RDONLY);
  } while (opened >= 0 && opened <= STDERR_FILENO);
  if (opened >= 0) ::close(opened);
}

void print_out(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_out();
}

void flush_out() {
  if (std::fflush(stdout) != 0) fail_out();
}

void print_error(std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int report(const Error& error) noexcept {
  for (const Problem& problem : error.problems()) {
    print_error("ptec: error: ");
    print_error(problem.text());
    print_error("\n");
  }
  return error_code_exit_status(error.code());
}

int run_reporting(int (*tool)(int argc, char** argv), int argc, char** argv) noexcept {
  try {
    const int exit_status = tool(argc, argv);
    flush_out();
    return exit_status;
  } catch (const BrokenPipe& error) {
    return error_code_exit_status(error.code());
  } catch (const Error& error) {
    return report(error);
  } catch (const std::bad_alloc&) {
    print_error("ptec: error: out of memory\n");
    return error_code_exit_status(ErrorCode::Limit);
  } catch (const std::exception& error) {
    return report_stray(error.what());
  }
}

}  // namespace ptec::cli
