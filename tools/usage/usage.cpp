#include "usage/usage.h"

#include <fmt/format.h>

#include <string_view>

#include "ptec/error.h"

namespace ptec::cli {
namespace {

struct Chosen {
  const CLI::App* app;
  std::string name;  // "ptec export"
};

Chosen chosen_verb(const CLI::App& app) {
  Chosen out{&app, app.get_name()};
  while (!out.app->get_subcommands().empty()) {
    out.app = out.app->get_subcommands().front();
    out.name += " " + out.app->get_name();
  }
  return out;
}

std::string problem(const CLI::App& verb, const CLI::ParseError& error) {
  for (const std::string& argument : verb.remaining()) {
    if (argument.size() > 1 && argument.front() == '-')
      return fmt::format("there is no option '{}'", argument.substr(0, argument.find('=')));
  }
  const bool wants_verb = verb.get_parent() == nullptr && verb.get_subcommands().empty();
  if (wants_verb && !verb.remaining().empty())
    return fmt::format("there is no verb '{}'", verb.remaining().front());
  const std::string what = error.what();
  if (const std::size_t end = what.find(" was given a disallowed flag override");
      end != std::string::npos) {
    return fmt::format("option '--{}' takes no value", what.substr(0, end));
  }
  return what;
}

void refuse_dash(const std::string& name, std::string_view why) {
  if (name != "-") return;
  throw Error(
      ErrorCode::InvalidArgument,
      fmt::format("'-' is no file name here: {}; name a file, or './-' for one of that name", why));
}

}  // namespace

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const Chosen verb = chosen_verb(app);
  return fmt::format("{}; see '{} --help'", problem(*verb.app, error), verb.name);
}

void refuse_dash_as_input(const std::string& name) {
  refuse_dash(name, "files are read by position, which standard input cannot do");
}

void refuse_dash_as_output(const std::string& name) {
  refuse_dash(name, "the output appears whole or not at all, which standard output cannot promise");
}

}  // namespace ptec::cli
