// ptec-run: loads a program (.pte) in the ExecuTorch runtime and runs it on the CPU. `ptec run`
// starts it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <sstream>

#include "inputs.h"
#include "inspect/pte.h"
#include "npy.h"
#include "print.h"
#include "runner.h"
#include "streams/streams.h"
#include "support/error.h"
#include "support/output_file.h"
#include "support/printable.h"

namespace ptec::run {
namespace {

struct Options {
  std::string file;
  std::string method;
  std::vector<std::string> inputs;             // behind --input
  std::vector<std::string> positional_inputs;  // behind the file
  std::vector<std::string> data_files;
  std::string output_folder;
  bool full = false;
};

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

void write_output(const std::string& folder, std::size_t index, const Output& output) {
  const auto* array = std::get_if<Array>(&output);
  if (array == nullptr) return;
  OutputFile file((std::filesystem::path(folder) / fmt::format("output{}.npy", index)).string());
  file.write(as_bytes(npy_bytes(*array)));
  file.commit();
}

void run(const Options& options) {
  std::vector<std::string> texts = options.positional_inputs;
  texts.insert(texts.end(), options.inputs.begin(), options.inputs.end());
  if (!options.output_folder.empty() && !std::filesystem::is_directory(options.output_folder)) {
    fail(ErrorCode::Io, fmt::format("'{}' is no folder", options.output_folder));
  }
  // The runtime trusts its files more than is good for it, so ours looks first.
  const inspect::PteFile file = inspect::read_pte(InputFile::open(options.file));
  for (const std::string& warning : file.warnings)
    cli::print_error(fmt::format("ptec: warning: {}\n", warning));
  const Breadcrumb here("program", options.file);
  const inspect::PtePlan& plan = find_plan(file, options.method);
  for (const std::string& path : options.data_files) InputFile::open(path);  // says what is wrong
  check_runnable(file, plan, options.data_files);
  const std::vector<Input> inputs = make_inputs(plan, texts);
  const std::vector<Output> outputs =
      LoadedMethod(options.file, plan, options.data_files).run(inputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    print_output(i, outputs[i], options.full);
    if (!options.output_folder.empty()) write_output(options.output_folder, i, outputs[i]);
  }
}

void add_options(CLI::App& app, Options& options) {
  app.add_option("file", options.file, "Program (.pte) to run")->required();
  app.add_option("inputs", options.positional_inputs, "The same as --input");
  app.add_option(
      "--method", options.method, "Method to run; 'forward' by default, or the only one");
  app.add_option("-i,--input",
                 options.inputs,
                 "Input, in order: a .npy file, ones:2x3:float32, zeros:2x3:float32, a number, or "
                 "'default'. Without any input: ones "
                 "in the program's own shapes, and the numbers that it was traced with")
      ->allow_extra_args(false);
  app.add_option("--data", options.data_files, "External data (.ptd) that the program needs")
      ->allow_extra_args(false);
  app.add_option("--output-dir",
                 options.output_folder,
                 "Folder for the outputs as output0.npy, output1.npy, ...");
  app.add_flag("--full", options.full, "Print every element, however many there are");
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Load a program (.pte) in the ExecuTorch runtime and run it on the CPU", "ptec run");
  Options options;
  add_options(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    std::ostringstream text;
    const int exit_success = app.exit(success, text, text);
    cli::print_out(text.str());
    return exit_success;
  } catch (const CLI::ParseError& error) {
    fail(ErrorCode::InvalidArgument, fmt::format("{}; see 'ptec run --help'", error.what()));
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
