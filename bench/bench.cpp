// Measures `ptec export` from outside: time from before the process starts until it has ended, and
// its peak memory. Each figure is a median, and each claim is a ratio or a bound checked in the
// same run.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "pte/pte.h"
#include "support/input_file.h"
#include "tests/support/engine_archive.h"
#include "tests/support/graph_archive.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"

namespace ptec::bench {
namespace {

namespace fs = std::filesystem;
using test::ProcessResult;

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kMaxCopyRatio = 1.5;       // against cp and sync of the same bytes
constexpr double kMaxGraphMs = 1000;        // for 100,000 nodes
constexpr double kMaxGraphMemoryRatio = 6;  // against the size of the JSON
constexpr double kMaxGrowth = 1.5;          // of the time a node takes, over ten times the nodes
constexpr double kMaxStartMs = 20;          // for a small archive

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double milliseconds(const ProcessResult& result) {
  return static_cast<double>(result.elapsed_ns) / 1e6;
}

ProcessResult run(const std::vector<std::string>& arguments) {
  ProcessResult result = test::run_process(arguments);
  if (result.exit_status != 0) {
    throw std::runtime_error(fmt::format(
        "'{}' ended with status {}: {}", arguments.front(), result.exit_status, result.errors));
  }
  return result;
}

ProcessResult run_export(const std::string& input, const std::string& output) {
  fs::remove(output);
  return run({PTEC_BINARY, "export", input, "-o", output, "--quiet"});
}

// Prints whether `value` keeps its limit.
bool verdict(double value, double limit) {
  fmt::print("  {}\n", value <= limit ? "ok" : "TOO MUCH");
  return value <= limit;
}

bool bench_engine(const fs::path& parent, int rounds) {
  const test::ScratchFolder scratch(parent);
  const std::string input = scratch.file("in.pt2");
  const std::string output = scratch.file("out.pte");
  const std::string copy = scratch.file("copy.pte");
  constexpr std::uint64_t kEngineBytes = std::uint64_t{512} << 20;
  test::write_engine_archive(input, {.engine_size_bytes = kEngineBytes});
  run({"sync", input});

  std::vector<double> exports;
  std::vector<double> copies;
  std::uint64_t peak_memory = 0;
  for (int round = 0; round < rounds; ++round) {
    const ProcessResult result = run_export(input, output);
    exports.push_back(milliseconds(result));
    peak_memory = std::max(peak_memory, result.peak_memory_bytes);
    fs::remove(copy);
    copies.push_back(milliseconds(
        run({"sh", "-c", "cp --reflink=never \"$0\" \"$1\" && sync \"$1\"", output, copy})));
  }
  const double ratio = median(exports) / median(copies);
  fmt::print("engine of 512 MiB, {} rounds\n", rounds);
  fmt::print("  export         {:8.0f} ms  (median; peak memory {:.0f} MiB)\n",
             median(exports),
             static_cast<double>(peak_memory) / kMiB);
  fmt::print("  cp and sync    {:8.0f} ms  (median, of the same file)\n", median(copies));
  fmt::print("  ratio          {:8.2f}     (limit {})", ratio, kMaxCopyRatio);
  return verdict(ratio, kMaxCopyRatio);
}

bool bench_graph(const fs::path& parent, int rounds) {
  const test::ScratchFolder scratch(parent);
  const std::string input = scratch.file("in.pt2");
  const auto json_bytes = static_cast<double>(test::write_graph_archive(input, 100'000));
  std::vector<double> times;
  double peak = 0;
  for (int round = 0; round < rounds; ++round) {
    const ProcessResult result = run_export(input, scratch.file("out.pte"));
    times.push_back(milliseconds(result));
    peak = std::max(peak, static_cast<double>(result.peak_memory_bytes));
  }
  fmt::print("graph of 100,000 nodes, JSON of {:.0f} MiB, {} rounds\n", json_bytes / kMiB, rounds);
  fmt::print("  export         {:8.0f} ms  (median; limit {})", median(times), kMaxGraphMs);
  const bool fast = verdict(median(times), kMaxGraphMs);
  fmt::print("  peak memory    {:8.0f} MiB, {:.1f} times the JSON  (limit {})",
             peak / kMiB,
             peak / json_bytes,
             kMaxGraphMemoryRatio);
  return verdict(peak / json_bytes, kMaxGraphMemoryRatio) && fast;
}

/// Time and memory over the number of nodes, as a table to quote: ten times the nodes may take
/// little more than ten times the processor's time. The best of several rounds is what the program
/// needs; the rest is what else the machine does.
bool bench_growth(const fs::path& parent, int rounds) {
  const test::ScratchFolder scratch(parent);
  const std::string input = scratch.file("in.pt2");
  fmt::print("growth, the best of {} rounds each\n", rounds);
  fmt::print("  | nodes | JSON, MiB | export, ms | processor, us a node | peak memory, MiB |\n");
  fmt::print("  | ---: | ---: | ---: | ---: | ---: |\n");
  std::vector<double> a_node;
  for (const int nodes : {1'000, 10'000, 100'000}) {
    const auto json_bytes = static_cast<double>(test::write_graph_archive(input, nodes));
    double elapsed_ms = std::numeric_limits<double>::infinity();
    double processor_us = elapsed_ms;
    double peak = 0;
    for (int round = 0; round < rounds; ++round) {
      const ProcessResult result = run_export(input, scratch.file("out.pte"));
      elapsed_ms = std::min(elapsed_ms, milliseconds(result));
      processor_us = std::min(processor_us, static_cast<double>(result.processor_ns) / 1e3);
      peak = std::max(peak, static_cast<double>(result.peak_memory_bytes));
    }
    a_node.push_back(processor_us / nodes);
    fmt::print("  | {} | {:.1f} | {:.1f} | {:.2f} | {:.0f} |\n",
               nodes,
               json_bytes / kMiB,
               elapsed_ms,
               a_node.back(),
               peak / kMiB);
  }
  const double growth = a_node[2] / a_node[1];
  fmt::print(
      "  a node of 100,000 against one of 10,000: {:.2f} times  (limit {})", growth, kMaxGrowth);
  return verdict(growth, kMaxGrowth);
}

/// What the planners need for the archives of a folder. The second is never worse.
bool bench_planners(const fs::path& parent, const fs::path& archives) {
  const test::ScratchFolder scratch(parent);
  const std::string output = scratch.file("out.pte");
  fmt::print("planned memory of the archives in {}, bytes\n", archives.string());
  fmt::print("  | archive | reference | gaps |\n  | --- | ---: | ---: |\n");
  std::vector<fs::path> inputs;
  for (const auto& entry : fs::recursive_directory_iterator(archives)) {
    if (entry.path().extension() == ".pt2") inputs.push_back(entry.path());
  }
  std::sort(inputs.begin(), inputs.end());
  std::uint64_t totals[2] = {0, 0};
  bool good = true;
  for (const fs::path& input : inputs) {
    std::uint64_t bytes[2] = {0, 0};
    bool exported = true;
    for (const bool gaps : {false, true}) {
      const ProcessResult result = test::run_process({PTEC_BINARY,
                                                      "export",
                                                      input.string(),
                                                      "-o",
                                                      output,
                                                      "--quiet",
                                                      "--planner",
                                                      gaps ? "gaps" : "reference"});
      exported = exported && result.exit_status == 0;
      if (!exported) break;
      for (const inspect::PtePlan& plan : inspect::read_pte(InputFile::open(output)).plans) {
        for (const inspect::PteArena& arena : plan.arenas) bytes[gaps] += arena.size_bytes;
      }
    }
    if (!exported) continue;
    for (const int which : {0, 1}) totals[which] += bytes[which];
    good = good && bytes[1] <= bytes[0];
    if (bytes[0] != bytes[1])
      fmt::print("  | {} | {} | {} |\n", input.filename().string(), bytes[0], bytes[1]);
  }
  fmt::print("  | all | {} | {} |\n", totals[0], totals[1]);
  return good;
}

bool bench_start(const fs::path& parent, int rounds) {
  const test::ScratchFolder scratch(parent);
  const std::string input = std::string(PTEC_FIXTURES_DIR) + "/mlp_static.pt2";
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    times.push_back(milliseconds(run_export(input, scratch.file("out.pte"))));
  }
  fmt::print("small archive, {} rounds\n", rounds);
  fmt::print("  export         {:8.1f} ms  (median; limit {})", median(times), kMaxStartMs);
  return verdict(median(times), kMaxStartMs);
}

}  // namespace
}  // namespace ptec::bench

int main(int argc, char** argv) {
  CLI::App app("Measures ptec export");
  std::string scratch = "bench-scratch";
  std::vector<std::string> names;
  int rounds = 5;
  app.add_option("--scratch", scratch, "Folder for temporary files")->capture_default_str();
  app.add_option("--rounds", rounds, "Rounds of the long ones")->check(CLI::Range(1, 1000));
  app.add_option("names", names, "Which: engine, graph, growth, planners, start; all by default")
      ->check(CLI::IsMember({"engine", "graph", "growth", "planners", "start"}));
  std::string archives = PTEC_FIXTURES_DIR;
  app.add_option("--archives", archives, "Folder with archives for the planners");
  CLI11_PARSE(app, argc, argv);
  const auto chosen = [&names](const char* name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  try {
    bool good = true;
    if (chosen("start")) good = ptec::bench::bench_start(scratch, 4 * rounds) && good;
    if (chosen("growth")) good = ptec::bench::bench_growth(scratch, rounds) && good;
    if (chosen("planners")) good = ptec::bench::bench_planners(scratch, archives) && good;
    if (chosen("graph")) good = ptec::bench::bench_graph(scratch, rounds) && good;
    if (chosen("engine")) good = ptec::bench::bench_engine(scratch, rounds) && good;
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ptec-bench: {}\n", error.what());
    return 1;
  }
}
