// `ptec inspect`.
#include "ptec/inspect.h"

#include <memory>
#include <string>

#include "streams/streams.h"
#include "verbs.h"

namespace ptec::cli {
namespace {

struct Options {
  std::string file;
  bool json = false;
};

}  // namespace

void add_inspect(CLI::App& app, int& exit_status) {
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("inspect", "Show what is in an archive (.pt2) or a program (.pte)");
  verb->add_option("file", options->file, "File to look into")->required();
  verb->add_flag("--json", options->json, "Print JSON, for other programs");
  verb->callback([options, &exit_status] {
    const Inspection inspection = inspect_file(options->file);
    print_out(options->json ? inspection_json(inspection) : inspection_text(inspection));
    print_out("\n");
    exit_status = 0;
  });
}

}  // namespace ptec::cli
