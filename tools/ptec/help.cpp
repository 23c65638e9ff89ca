// `ptec help`.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "ptec/error.h"
#include "streams/streams.h"
#include "usage/run_options.h"
#include "verbs.h"

namespace ptec::cli {
namespace {

std::string help_of(const CLI::App& app, const std::string& name) {
  if (name.empty()) return app.get_formatter()->make_help(&app, app.get_name(), {});
  if (name == "run") return run_help();
  const auto verbs =
      app.get_subcommands([&name](const CLI::App* verb) { return verb->get_name() == name; });
  if (verbs.empty()) {
    throw Error(ErrorCode::InvalidArgument,
                fmt::format("there is no verb '{}'; see 'ptec --help'", name));
  }
  return verbs[0]->get_formatter()->make_help(verbs[0], app.get_name() + " " + name, {});
}

}  // namespace

void add_help(CLI::App& app, int& exit_status) {
  auto name = std::make_shared<std::string>();
  CLI::App* verb = app.add_subcommand("help", "Show what ptec, or one of its verbs, can do");
  verb->add_option("verb", *name, "Verb to explain");
  verb->callback([&app, name, &exit_status] {
    print_out(help_of(app, *name));
    exit_status = 0;
  });
}

}  // namespace ptec::cli
