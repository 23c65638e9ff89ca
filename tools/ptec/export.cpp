// `ptec export`.
#include "ptec/export.h"

#include <fmt/format.h>

#include <csignal>
#include <map>
#include <memory>
#include <string>

#include "progress.h"
#include "ptec/error.h"
#include "verbs.h"

namespace ptec::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void on_signal(int) { interrupted = 1; }

/// A second Ctrl-C ends the process the hard way.
void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

struct Options {
  std::string input;
  std::string output;
  bool quiet = false;
  bool trace = false;
  Planner planner = Planner::Reference;
};

int run(const Options& options) {
  catch_interrupts();
  ExportOptions settings;
  settings.trace_steps = options.trace;
  settings.planner = options.planner;
  ExportResult result;
  try {
    ProgressBar bar(!options.quiet);
    settings.on_progress = [&bar](std::uint64_t written, std::uint64_t total) {
      bar.update(written, total);
      return interrupted == 0;
    };
    result = export_file(options.input, options.output, settings);
  } catch (const Error&) {
    if (interrupted == 0) throw;
    fmt::print(stderr, "ptec: interrupted; nothing was written\n");
    return kExitInterrupted;
  }
  for (const std::string& warning : result.report.warnings)
    fmt::print(stderr, "ptec: warning: {}\n", warning);
  for (const StepReport& step : result.report.steps) {
    if (options.trace)
      fmt::print("== {} ({:.3f} ms)\n{}\n",
                 step.step,
                 static_cast<double>(step.elapsed_ns) / 1e6,
                 step.text);
  }
  if (!options.quiet) fmt::print("{}: {} bytes\n", options.output, result.size_bytes);
  return 0;
}

}  // namespace

void add_export(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("export", "Write an ExecuTorch program (.pte) from an archive (.pt2)");
  verb->add_option(
          "input", options->input, "Archive written by torch.export.save or torch_tensorrt.save")
      ->required();
  verb->add_option("-o,--output", options->output, "File to write; an existing one is replaced")
      ->required();
  verb->add_flag("-q,--quiet", options->quiet, "No progress bar and no closing line");
  verb->add_flag("--trace-passes", options->trace, "Print the program after every pass");
  const std::map<std::string, Planner> planners{{"reference", Planner::Reference},
                                                {"gaps", Planner::Gaps}};
  verb->add_option(
          "--planner",
          options->planner,
          "How memory is planned: 'reference' gives the reference's bytes, 'gaps' needs no "
          "more memory and sometimes less")
      ->transform(CLI::Transformer(planners))
      ->option_text("NAME");
  verb->callback([options, &exit_status] { exit_status = run(*options); });
}

}  // namespace ptec::cli
