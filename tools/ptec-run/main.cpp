// ptec-run: loads a program (.pte) in the ExecuTorch runtime and runs it on the CPU. `ptec run`
// starts it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <sstream>

#include "inputs.h"
#include "npy.h"
#include "print.h"
#include "pte/pte.h"
#include "runner.h"
#include "streams/streams.h"
#include "support/error.h"
#include "support/output_file.h"
#include "support/printable.h"
#include "usage/run_options.h"
#include "usage/usage.h"

namespace ptec::run {
namespace {

const inspect::PtePlan& find_plan(const inspect::PteFile& file, const std::string& method) {
  std::string names;
  for (const inspect::PtePlan& plan : file.plans) {
    if (plan.name == (method.empty() ? "forward" : method)) return plan;
    names += (names.empty() ? "'" : ", '") + printable(plan.name) + "'";
  }
  if (method.empty() && file.plans.size() == 1) return file.plans.front();
  fail(ErrorCode::InvalidArgument,
       method.empty()
           ? fmt::format("there is no method 'forward'; name one of {} with --method", names)
           : fmt::format("there is no method '{}', only {}", printable(method), names));
}

void print_output(std::size_t index, const Output& output, bool full) {
  if (const auto* array = std::get_if<Array>(&output)) {
    cli::print_out(fmt::format("output {}: {}\n{}\n",
                               index,
                               array_type_text(*array->dtype, array->shape),
                               array_text(*array, full)));
  } else if (const auto* number = std::get_if<std::int64_t>(&output)) {
    cli::print_out(fmt::format("output {}: int {}\n", index, *number));
  } else if (const auto* flag = std::get_if<bool>(&output)) {
    cli::print_out(fmt::format("output {}: bool {}\n", index, *flag));
  } else if (const auto* real = std::get_if<double>(&output)) {
    cli::print_out(fmt::format("output {}: float {}\n", index, *real));
  } else {
    cli::print_out(fmt::format("output {}: none\n", index));
  }
}

/// Before the run, so that no result is lost to a folder that cannot be made.
void make_folder(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder)) {
    fail(ErrorCode::Io,
         fmt::format("cannot make the folder '{}': {}",
                     folder,
                     error ? error.message() : "something else has that name"));
  }
}

void write_output(const std::string& folder, std::size_t index, const Output& output) {
  const auto* array = std::get_if<Array>(&output);
  if (array == nullptr) return;
  OutputFile file((std::filesystem::path(folder) / fmt::format("output{}.npy", index)).string());
  file.write(as_bytes(npy_bytes(*array)));
  file.commit();
}

void run(const cli::RunOptions& options) {
  cli::refuse_dash_as_input(options.file);
  std::vector<std::string> texts = options.positional_inputs;
  texts.insert(texts.end(), options.inputs.begin(), options.inputs.end());
  // The runtime trusts its files more than is good for it, so ours looks first.
  const inspect::PteFile file = inspect::read_pte(InputFile::open(options.file));
  for (const std::string& warning : file.warnings)
    cli::print_error(fmt::format("ptec: warning: {}\n", warning));
  const Breadcrumb here("program", options.file);
  const inspect::PtePlan& plan = find_plan(file, options.method);
  for (const std::string& path : options.data_files) InputFile::open(path);  // says what is wrong
  check_runnable(file, plan, options.data_files);
  const std::vector<Input> inputs = make_inputs(plan, texts);
  make_folder(options.output_folder);
  const std::vector<Output> outputs =
      LoadedMethod(options.file, plan, options.data_files).run(inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    print_output(i, outputs[i], options.full);
    if (!options.output_folder.empty()) write_output(options.output_folder, i, outputs[i]);
  }
}

int parse_and_run(int argc, char** argv) {
  CLI::App app(cli::kRunDescription, "ptec run");
  cli::RunOptions options;
  cli::add_run_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream text;
    const int exit_success = app.exit(success, text, text);
    cli::print_out(text.str());
    return exit_success;
  } catch (const CLI::ParseError& error) {
    fail(ErrorCode::InvalidArgument, cli::usage_message(app, error));
  }
  run(options);
  return 0;
}

}  // namespace
}  // namespace ptec::run

int main(int argc, char** argv) {
  ptec::cli::prepare_streams();
  return ptec::cli::run_reporting(ptec::run::parse_and_run, argc, argv);
}
