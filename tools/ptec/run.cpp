// `ptec run`: hands over to ptec-run, which links the ExecuTorch runtime, so that exporting needs
// none of it.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "ptec/error.h"
#include "streams/streams.h"
#include "usage/run_options.h"
#include "verbs.h"

namespace ptec::cli {
namespace {

std::string own_folder() {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string self(path.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  return self.substr(0, self.rfind('/'));
}

bool asks_for_help(const std::vector<std::string>& arguments) {
  return std::any_of(arguments.begin(), arguments.end(), [](const std::string& argument) {
    return argument == "--help" || argument == "-h";
  });
}

}  // namespace

void add_run(CLI::App& app, int& exit_status) {
  CLI::App* verb = app.add_subcommand(
      "run", "Load and run a program (.pte) that a CPU can run; 'ptec run --help' tells more");
  verb->prefix_command();  // everything behind it belongs to ptec-run
  verb->set_help_flag();
  verb->callback([verb, &exit_status] {
    std::vector<std::string> arguments = verb->remaining();
    if (asks_for_help(arguments)) {
      print_out(run_help());
      exit_status = 0;
      return;
    }
    const std::string runner = own_folder() + "/ptec-run";
    std::vector<char*> argv;
    std::string name = "ptec-run";
    argv.push_back(name.data());
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    ::execv(runner.c_str(), argv.data());
    throw Error(
        ErrorCode::Io,
        fmt::format(
            "cannot start '{}': {}; build with -DPTEC_BUILD_RUNNER=ON, or put ptec-run beside ptec",
            runner,
            std::strerror(errno)));
  });
}

}  // namespace ptec::cli
