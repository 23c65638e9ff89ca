#include "tests/support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace ptec::test {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void throw_errno(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw_errno("pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    close_write();
    close_read();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_write() { close_once(write_end); }
  void close_read() { close_once(read_end); }
  static void close_once(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
  }
};

// Between fork and exec. Nothing here allocates apart from setenv, and this process has one thread.
[[noreturn]] void become(const std::vector<std::string>& arguments,
                         const ProcessOptions& options,
                         const Pipe& output,
                         const Pipe& errors) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  bool ready = nothing >= 0 && ::dup2(nothing, 0) >= 0 && ::dup2(output.write_end, 1) >= 0 &&
               ::dup2(errors.write_end, 2) >= 0;
  for (const auto& [name, value] : options.environment) {
    ready = ready && ::setenv(name.c_str(), value.c_str(), 1) == 0;
  }
  if (!options.folder.empty()) ready = ready && ::chdir(options.folder.c_str()) == 0;
  if (options.umask) ::umask(*options.umask);
  if (options.file_size_limit_bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    const ::rlimit limit{*options.file_size_limit_bytes, *options.file_size_limit_bytes};
    ready = ready && ::setrlimit(RLIMIT_FSIZE, &limit) == 0;
  }
  if (options.address_space_limit_bytes) {
    const ::rlimit limit{*options.address_space_limit_bytes, *options.address_space_limit_bytes};
    ready = ready && ::setrlimit(RLIMIT_AS, &limit) == 0;
  }
  if (options.user_id) ready = ready && ::setuid(*options.user_id) == 0;
  if (ready) {
    std::vector<char*> pointers;
    for (const std::string& argument : arguments) {
      pointers.push_back(const_cast<char*>(argument.c_str()));  // NOLINT: execvp does not write
    }
    pointers.push_back(nullptr);
    ::execvp(pointers[0], pointers.data());
  }
  ::_exit(127);
}

// Returns false at the end of the stream.
bool drain(int descriptor, std::string& into) {
  std::array<char, 65536> buffer{};
  const ::ssize_t got = ::read(descriptor, buffer.data(), buffer.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  into.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

void collect(::pid_t child,
             const ProcessOptions& options,
             Clock::time_point start,
             Pipe& output,
             Pipe& errors,
             ProcessResult& result) {
  bool signalled = false;
  const int wait_ms = options.signal_when ? 2 : 100;
  while (output.read_end >= 0 || errors.read_end >= 0) {
    std::array<::pollfd, 2> ready{{{output.read_end, POLLIN, 0}, {errors.read_end, POLLIN, 0}}};
    ::poll(ready.data(), ready.size(), wait_ms);
    if (ready[0].revents != 0 && !drain(output.read_end, result.output)) output.close_read();
    if (ready[1].revents != 0 && !drain(errors.read_end, result.errors)) errors.close_read();
    if (options.signal_when && !signalled && options.signal_when(child)) {
      signalled = true;
      ::kill(child, options.signal);
    }
    if (!result.timed_out && Clock::now() - start > options.time_limit) {
      result.timed_out = true;
      ::kill(child, SIGKILL);
    }
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& arguments,
                          const ProcessOptions& options) {
  Pipe output;
  Pipe errors;
  ProcessResult result;
  const Clock::time_point start = Clock::now();
  const ::pid_t child = ::fork();
  if (child < 0) throw_errno("fork");
  if (child == 0) become(arguments, options, output, errors);
  output.close_write();
  errors.close_write();
  collect(child, options, start, output, errors, result);

  int status = 0;
  ::rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) throw_errno("wait4");
  }
  result.elapsed_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start).count();
  for (const ::timeval& time : {usage.ru_utime, usage.ru_stime}) {
    result.processor_ns += std::int64_t{time.tv_sec} * 1'000'000'000;
    result.processor_ns += std::int64_t{time.tv_usec} * 1'000;
  }
  result.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  if (WIFEXITED(status)) result.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace ptec::test
