// `ptec export`.
#include "ptec/export.h"

#include <fmt/format.h>

#include <charconv>
#include <csignal>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "placement.h"
#include "progress.h"
#include "ptec/error.h"
#include "streams/streams.h"
#include "usage/usage.h"
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
  std::vector<std::string> inputs;
  std::string output;
  bool quiet = false;
  bool trace = false;
  bool init_buffers = false;
  bool device_state = false;
  bool json = false;
  Planner planner = Planner::Reference;
  std::vector<std::string> max_sizes;
  bool external_constants = false;
  std::vector<std::string> external;
  bool require_kernels = false;
  bool lower_missing = false;
};

/// `NAME=FILE`, or a FILE alone for `forward`. What has a slash before its first `=` is a path.
MethodSource parse_source(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || text.find('/') < equals) return {"forward", text};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// Two archives without names would both be `forward`, so say what is missing instead.
std::vector<MethodSource> parse_sources(const std::vector<std::string>& texts) {
  std::vector<MethodSource> out;
  for (const std::string& text : texts) {
    out.push_back(parse_source(text));
    if (texts.size() > 1 && out.back().archive == text) {
      throw Error(ErrorCode::InvalidArgument,
                  fmt::format("'{}' has no method name; with several archives give each as "
                              "NAME=FILE",
                              text));
    }
  }
  return out;
}

SizeBound parse_size_bound(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  SizeBound out;
  if (equals != std::string::npos && equals > 0) {
    out.name = text.substr(0, equals);
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, out.max);
    if (error == std::errc() && stop == end && out.max > 0) return out;
  }
  throw Error(ErrorCode::InvalidArgument,
              fmt::format("--max '{}' is not NAME=N with a whole number N from 1 on", text));
}

void print_report(const Options& options, const ExportResult& result) {
  for (const StepReport& step : result.report.steps) {
    if (options.trace) {
      print_out(fmt::format("== {} ({:.3f} ms)\n{}\n",
                            options.inputs.size() == 1 ? step.step : step.method + ": " + step.step,
                            static_cast<double>(step.elapsed_ns) / 1e6,
                            step.text));
    }
  }
  if (options.json) {
    print_out(report_json(result.report) + "\n");
  } else if (!options.quiet) {
    for (const OutputReport& output : result.report.outputs)
      print_out(fmt::format("{}: {} bytes\n", output.path, output.size_bytes));
  }
}

int run(const Options& options) {
  for (const std::string& input : options.inputs) refuse_dash_as_input(input);
  refuse_dash_as_output(options.output);
  catch_interrupts();
  ExportOptions settings;
  settings.trace_steps = options.trace;
  settings.init_buffers = options.init_buffers;
  settings.device_state = options.device_state;
  settings.planner = options.planner;
  settings.require_kernels = options.require_kernels;
  settings.lower_missing = options.lower_missing;
  for (const std::string& text : options.max_sizes)
    settings.max_sizes.push_back(parse_size_bound(text));
  Placement placement(options.external, options.external_constants);
  if (!placement.empty()) {
    settings.external_file = [&placement](const ConstantInfo& constant) {
      return placement.file_for(constant);
    };
  }
  ExportResult result;
  try {
    ProgressBar bar(!options.quiet && !options.json);
    settings.on_progress = [&bar](std::uint64_t written, std::uint64_t total) {
      bar.update(written, total);
      return interrupted == 0;
    };
    result = export_methods(parse_sources(options.inputs), options.output, settings);
  } catch (const Error&) {
    if (interrupted == 0) throw;
    print_error("ptec: interrupted; nothing was written\n");
    return kExitInterrupted;
  }
  for (const std::string& pattern : placement.unused_patterns()) {
    print_error(
        fmt::format("ptec: warning: --external '{}': no constant has such a name\n", pattern));
  }
  for (const std::string& warning : result.report.warnings)
    print_error(fmt::format("ptec: warning: {}\n", warning));
  print_report(options, result);
  return 0;
}

}  // namespace

void add_export(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("export", "Write an ExecuTorch program (.pte) from an archive (.pt2)");
  verb->add_option(
          "input",
          options->inputs,
          "Archive written by torch.export.save or torch_tensorrt.save; it becomes the method "
          "'forward', or NAME with NAME=FILE. Several NAME=FILE make a program of several methods")
      ->required();
  verb->add_option("-o,--output", options->output, "File to write; an existing one is replaced")
      ->required();
  verb->add_flag("-q,--quiet", options->quiet, "No progress bar and no closing line")
      ->disable_flag_override();
  verb->add_flag("--init-buffers",
                 options->init_buffers,
                 "Store the saved values of buffers that the program writes to")
      ->disable_flag_override();
  verb->add_flag("--device-state",
                 options->device_state,
                 "Keep caches that an engine updates in place in device memory")
      ->disable_flag_override();
  CLI::Option* trace =
      verb->add_flag("--trace-passes", options->trace, "Print the program after every pass")
          ->disable_flag_override();
  verb->add_flag("--json",
                 options->json,
                 "Print a report as JSON: outputs, methods, warnings; no progress bar")
      ->disable_flag_override()
      ->excludes(trace);
  verb->add_flag("--external-constants",
                 options->external_constants,
                 "Put parameters, buffers and constants in _default_external_constant.ptd beside "
                 "the program");
  verb->add_option("--external",
                   options->external,
                   "PATTERN=FILE: put those whose full name matches (with * and ?) in FILE.ptd "
                   "beside the program. Can be repeated; the first that matches counts")
      ->allow_extra_args(false);
  const std::map<std::string, Planner> planners{{"reference", Planner::Reference},
                                                {"gaps", Planner::Gaps}};
  verb->add_option(
          "--planner",
          options->planner,
          "How memory is planned: 'reference' gives the reference's bytes, 'gaps' needs no "
          "more memory and sometimes less")
      ->transform(CLI::Transformer(planners))
      ->option_text("NAME");
  verb->add_option("--max",
                   options->max_sizes,
                   "NAME=N: an upper bound for a dimension that has none in the archive; NAME is a "
                   "symbol such as s10, or INPUT.AXIS such as x.0. Can be repeated")
      ->allow_extra_args(false);
  verb->add_flag("--require-kernels",
                 options->require_kernels,
                 "Refuse operators that the stock ExecuTorch runtime has no kernel for, instead of "
                 "a warning")
      ->disable_flag_override();
  verb->add_flag("--lower-missing",
                 options->lower_missing,
                 "Rewrite such operators with others that have kernels, where that is exact")
      ->disable_flag_override();
  verb->callback([options, &exit_status] { exit_status = run(*options); });
}

}  // namespace ptec::cli
