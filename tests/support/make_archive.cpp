// Writes a synthetic archive: `ptec-make-archive engine OUT.pt2 --size 512M` or `... graph OUT.pt2
// --nodes 100000`.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <map>
#include <string>

#include "tests/support/engine_archive.h"
#include "tests/support/graph_archive.h"

int main(int argc, char** argv) {
  using ptec::test::RecordForm;
  CLI::App app("Writes synthetic .pt2 archives for tests and benchmarks");
  app.require_subcommand(1);

  std::string path;
  ptec::test::EngineArchiveOptions options;
  const std::map<std::string, RecordForm> forms = {{"torchbind", RecordForm::TorchBind},
                                                   {"pickle4", RecordForm::Pickle4}};
  CLI::App* engine = app.add_subcommand("engine", "Engines of patterned bytes");
  engine->add_option("out", path, "File to write")->required();
  engine->add_option("--size", options.engine_size_bytes, "Size of each engine, for example 512MiB")
      ->transform(CLI::AsSizeValue(false))
      ->capture_default_str();
  engine->add_option("--form", options.form, "How the record is held")
      ->transform(CLI::CheckedTransformer(forms));
  engine->add_option("--seed", options.seed, "Chooses the pattern")->capture_default_str();
  engine->add_option("--engines", options.engines, "How many, in a chain")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();

  engine->add_option("--bindings", options.bindings, "Inputs, and outputs, of each engine")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();

  int nodes = 100'000;
  CLI::App* graph = app.add_subcommand("graph", "A chain of small operators");
  graph->add_option("out", path, "File to write")->required();
  graph->add_option("--nodes", nodes, "Length of the chain")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();

  try {
    app.parse(argc, argv);
    if (engine->parsed()) {
      ptec::test::write_engine_archive(path, options);
    } else {
      fmt::print("{}\n", ptec::test::write_graph_archive(path, nodes));  // bytes of JSON
    }
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "ptec-make-archive: {}\n", error.what());
    return 1;
  }
  return 0;
}
