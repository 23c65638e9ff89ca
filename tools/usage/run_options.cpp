#include "usage/run_options.h"

namespace ptec::cli {

void add_run_options(CLI::App& app, RunOptions& options) {
  app.add_option("file", options.file, "Program (.pte) to run")->required();
  app.add_option("inputs", options.positional_inputs, "The same as --input");
  app.add_option(
      "--method", options.method, "Method to run; 'forward' by default, or the only one");
  app.add_option("-i,--input",
                 options.inputs,
                 "Input, in order: a .npy file, ones:2x3:float32, zeros:2x3:float32, a number, or "
                 "'default'. Shape and type may be left out (ones, ones:2x3, ones::float32) and "
                 "are then the program's own. Without any input: ones in the program's own shapes "
                 "and types, and the numbers that it was traced with")
      ->allow_extra_args(false);
  app.add_option("--data", options.data_files, "External data (.ptd) that the program needs")
      ->allow_extra_args(false);
  app.add_option("--output-dir",
                 options.output_folder,
                 "Folder for the outputs as output0.npy, output1.npy, ...; made when it is absent");
  app.add_option("--max-memory",
                 options.max_memory_bytes,
                 "Most memory that the method may plan, take and return, such as 512M or 4G; 1G "
                 "unless given")
      ->transform(CLI::AsSizeValue(false))
      ->option_text("SIZE");
  app.add_flag("--full", options.full, "Print every element, however many there are")
      ->disable_flag_override();
}

std::string run_help() {
  CLI::App app(kRunDescription, "ptec run");
  RunOptions options;
  add_run_options(app, options);
  return app.help();
}

}  // namespace ptec::cli
