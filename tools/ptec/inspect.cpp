// `ptec inspect`.
#include "ptec/inspect.h"

#include <memory>
#include <string>

#include "streams/streams.h"
#include "usage/usage.h"
#include "verbs.h"

namespace ptec::cli {
namespace {

struct Options {
  std::string file;
  bool json = false;
  bool graph = false;
};

std::string text_of(const Inspection& inspection, const Options& options) {
  if (options.json) return inspection_json(inspection) + "\n";
  if (options.graph) return inspection_graph(inspection);
  return inspection_text(inspection) + "\n";
}

}  // namespace

void add_inspect(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand(
      "inspect", "Show what is in an archive (.pt2), a program (.pte) or its data (.ptd)");
  verb->add_option("file", options->file, "File to look into")->required();
  CLI::Option* const json =
      verb->add_flag("--json", options->json, "Print JSON, for other programs")
          ->disable_flag_override();
  verb->add_flag("--graph", options->graph, "Print an archive's graph as IR text")
      ->disable_flag_override()
      ->excludes(json);
  verb->callback([options, &exit_status] {
    refuse_dash_as_input(options->file);
    print_out(text_of(inspect_file(options->file), *options));
    exit_status = 0;
  });
}

}  // namespace ptec::cli
