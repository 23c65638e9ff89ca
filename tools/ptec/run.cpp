// `ptec run`: hands over to ptec-run, which links the ExecuTorch runtime, so that exporting needs
// none of it.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "ptec/error.h"
#include "verbs.h"

namespace ptec::cli {
namespace {

std::string own_folder() {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  const std::string self(path.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  return self.substr(0, self.rfind('/'));
}

}  // namespace

void add_run(CLI::App& app, int&) {
  CLI::App* verb = app.add_subcommand(
      "run", "Load and run a program (.pte) that a CPU can run; 'ptec run --help' tells more");
  verb->prefix_command();  // everything behind it belongs to ptec-run
  verb->set_help_flag();
  verb->callback([verb] {
    const std::string runner = own_folder() + "/ptec-run";
    std::vector<std::string> arguments = verb->remaining();
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
