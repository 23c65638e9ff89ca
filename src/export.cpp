#include "ptec/export.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "archive/pt2.h"
#include "emit/constants.h"
#include "emit/flatbuffer.h"
#include "emit/initial_values.h"
#include "emit/method.h"
#include "emit/pte_file.h"
#include "emit/segments.h"
#include "pipeline.h"
#include "program/mutations.h"
#include "program/read.h"
#include "support/error.h"
#include "support/output_file.h"

namespace ptec {
namespace {

void refuse_same_file(const InputFile& input, const std::string& output) {
  struct stat status {};
  if (::stat(output.c_str(), &status) != 0) return;
  if (status.st_ino == input.inode() && status.st_dev == input.device_id()) {
    fail(ErrorCode::InvalidArgument,
         fmt::format("the output '{}' is the input; give another name", output));
  }
}

void warn_of_undefined_buffers(const std::vector<std::string>& buffers, Report& report) {
  for (const std::string& buffer : buffers) {
    report.warnings.push_back(
        fmt::format("buffer '{}' starts undefined: the program writes to it, and its saved value, "
                    "which is not all zeros, is not stored; keep it with --init-buffers",
                    buffer));
  }
}

/// Initial values were asked for, but the runtime fills host memory only.
void warn_of_device_buffers(const Program& program, Report& report) {
  const std::set<std::string, std::less<>> mutated = mutated_buffers(program);
  for (const InputSpec& input : program.inputs) {
    if (input.kind != InputKind::Buffer || !mutated.contains(input.target)) continue;
    if (!program.spec(program.graph.at(input.node).specs.at(0)).cuda_index) continue;
    report.warnings.push_back(fmt::format(
        "buffer '{}' starts undefined: it lies in device memory, which the runtime does "
        "not fill with its saved zeros; leave --device-state out to have them",
        input.target));
  }
}

}  // namespace

ExportResult export_file(const std::string& input,
                         const std::string& output,
                         const ExportOptions& options) {
  ExportResult result;
  const archive::Pt2Archive archive = archive::Pt2Archive::open(input);
  refuse_same_file(archive.file(), output);

  std::vector<Program> programs;
  std::vector<emit::Method> methods;
  emit::ConstantTable constants;
  emit::ConstantTable initial_values;
  {
    const Breadcrumb here("archive", input);
    Program program = read_program(archive);
    PipelineOptions pipeline;
    pipeline.trace_steps = options.trace_steps;
    std::set<std::string, std::less<>> in_place = lower_to_edge(program, pipeline, result.report);
    const std::vector<std::string> not_zero = emit::buffers_with_lost_values(program);
    if (options.init_buffers) {
      for (const std::string& buffer : not_zero) in_place.erase(buffer);
    } else {
      warn_of_undefined_buffers(not_zero, result.report);
    }
    if (options.device_state) pipeline.device_buffers = std::move(in_place);
    std::vector<plan::Arena> arenas = lower_to_execution(program, pipeline, result.report);
    if (options.init_buffers) warn_of_device_buffers(program, result.report);
    programs.push_back(std::move(program));
    methods.push_back(emit::emit_method(programs.back(),
                                        std::move(arenas),
                                        constants,
                                        options.init_buffers ? &initial_values : nullptr));
  }
  const Breadcrumb here("archive", input);
  const emit::SegmentTable segments =
      emit::plan_segments(methods, constants.payloads(), initial_values.payloads());
  std::vector<std::byte> flatbuffer = emit::emit_flatbuffer(methods, segments);

  OutputFile file(output);
  const std::uint64_t total = emit::pte_file_size_bytes(flatbuffer, segments);
  if (options.on_progress) {
    file.on_progress(
        [&options, total](std::uint64_t written) { return options.on_progress(written, total); });
  }
  emit::write_pte_file(file, std::move(flatbuffer), segments);
  file.commit();
  result.size_bytes = total;
  return result;
}

}  // namespace ptec
