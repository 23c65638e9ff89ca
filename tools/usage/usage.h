// What is wrong with a command line, in words that help.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace ptec::cli {

/// One line for a command line that `app` refused. An option that does not exist is named before
/// anything that is missing, since it is probably a slip of the pen for that. Ends with the help to
/// ask: the chosen verb's own where there is one.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

/// Throw InvalidArgument when the name is "-", which means a standard stream to other tools.
void refuse_dash_as_input(const std::string& name);
void refuse_dash_as_output(const std::string& name);

}  // namespace ptec::cli
