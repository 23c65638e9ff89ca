// No two tensors that are needed at the same time share a byte: in every fixture's plan, in what we
// export, and over random graphs with control flow inside control flow.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "emit/flatbuffer.h"
#include "emit/method.h"
#include "emit/pte_file.h"
#include "ir/text.h"
#include "pte/pte.h"
#include "ptec/error.h"
#include "ptec/export.h"
#include "session/pipeline.h"
#include "support/input_file.h"
#include "support/output_file.h"
#include "tests/support/memory_check.h"
#include "tests/support/random_program.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

namespace fs = std::filesystem;

inspect::PteFile read_program_file(const std::string& path) {
  return inspect::read_pte(InputFile::open(path));
}

std::vector<std::string> conflicts_in(const inspect::PteFile& file) {
  std::vector<std::string> out;
  for (const inspect::PtePlan& plan : file.plans) {
    for (const std::string& problem : find_memory_conflicts(plan))
      out.push_back(plan.name + ": " + problem);
  }
  return out;
}

std::vector<fs::path> files_with(std::string_view extension) {
  std::vector<fs::path> folders{fixture_path("."), fixture_path("control_flow")};
  if (const std::optional<fs::path> shared = find_shared_dir()) {
    folders.push_back(*shared / "fixtures");
    folders.push_back(*shared / "fixtures" / "models");
  }
  std::vector<fs::path> out;
  for (const fs::path& folder : folders) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == extension) out.push_back(entry.path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Results of cond under control flow that runs later: docs/reference_faults.md.
bool is_known_fault(const fs::path& path) {
  const std::string name = path.stem().string();
  return name == "cond_twice" || name == "cond_chain" || name == "cond_around_others";
}

TEST(MemoryPlan, OfTheReferenceHasNoConflictButInKnownFaults) {
  for (const fs::path& path : files_with(".pte")) {
    const std::vector<std::string> conflicts = conflicts_in(read_program_file(path.string()));
    EXPECT_EQ(conflicts.empty(), !is_known_fault(path))
        << path << (conflicts.empty() ? "" : ": " + conflicts[0]);
  }
}

TEST(MemoryPlan, OfEveryArchiveThatWeExportHasNoConflict) {
  const ScratchFolder scratch;
  const std::string output = scratch.file("out.pte");
  int exported = 0;
  for (const fs::path& path : files_with(".pt2")) {
    try {
      export_file(path.string(), output);
    } catch (const Error&) {
      continue;
    }
    ++exported;
    const std::vector<std::string> conflicts = conflicts_in(read_program_file(output));
    EXPECT_TRUE(conflicts.empty()) << path << ": " << conflicts[0];
  }
  EXPECT_GE(exported, 30);
}

inspect::PteFile compiled(const std::string& text,
                          const std::string& output,
                          Planner planner = Planner::Reference) {
  Program program = parse_program(text);
  Report report;
  PipelineOptions options;
  options.planner = planner;
  lower_to_edge(program, options, report);
  std::vector<plan::Arena> arenas = lower_to_execution(program, options, report);
  emit::ConstantTable constants;
  std::vector<emit::Method> methods;
  methods.push_back(emit::emit_method(program, std::move(arenas), constants));
  const emit::SegmentTable segments = emit::plan_segments(methods, constants.payloads());
  OutputFile file(output);
  emit::write_pte_file(file, emit::emit_flatbuffer(methods, segments), segments);
  file.commit();
  return read_program_file(output);
}

TEST(MemoryPlan, OfRandomGraphsHasNoConflict) {
  const ScratchFolder scratch;
  int copied = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const std::string text = random_program(seed);
    const inspect::PteFile file = compiled(text, scratch.file("out.pte"));
    const std::vector<std::string> conflicts = conflicts_in(file);
    ASSERT_TRUE(conflicts.empty()) << conflicts[0] << "\n" << text;
    for (const inspect::PteOperator& op : file.plans[0].operators)
      copied += op.name == "dim_order_ops::_clone_dim_order" ? 1 : 0;
  }
  EXPECT_GE(copied, 30);  // the hard case is among them
}

TEST(MemoryPlan, InGapsHasNoConflictAndIsNeverLarger) {
  const ScratchFolder scratch;
  int smaller = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const std::string text = random_program(seed);
    const inspect::PteFile gaps = compiled(text, scratch.file("gaps.pte"), Planner::Gaps);
    const inspect::PteFile greedy = compiled(text, scratch.file("greedy.pte"));
    const std::vector<std::string> conflicts = conflicts_in(gaps);
    ASSERT_TRUE(conflicts.empty()) << conflicts[0] << "\n" << text;
    EXPECT_LE(gaps.plans[0].arenas[1].size_bytes, greedy.plans[0].arenas[1].size_bytes);
    smaller += gaps.plans[0].arenas[1].size_bytes < greedy.plans[0].arenas[1].size_bytes ? 1 : 0;
  }
  EXPECT_GE(smaller, 10);
}

// The check has to notice: swapping the places of tensors is seen.
TEST(MemoryPlan, bad_TensorsThatShareBytesAreFound) {
  const ScratchFolder scratch;
  int found = 0;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    inspect::PteFile file = compiled(random_program(seed), scratch.file("out.pte"));
    for (inspect::PteValue& value : file.plans[0].values) {
      auto* tensor = std::get_if<inspect::PteTensor>(&value);
      if (tensor != nullptr && tensor->allocation) tensor->allocation->offset_bytes = 0;
    }
    found += conflicts_in(file).empty() ? 0 : 1;
  }
  EXPECT_GE(found, 45);  // a few programs are too small to go wrong
}

}  // namespace
}  // namespace ptec::test
