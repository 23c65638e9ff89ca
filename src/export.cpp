#include "ptec/export.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "archive/pt2.h"
#include "emit/constants.h"
#include "emit/flatbuffer.h"
#include "emit/method.h"
#include "emit/pte_file.h"
#include "emit/segments.h"
#include "pipeline.h"
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
  {
    const Breadcrumb here("archive", input);
    Program program = read_program(archive);
    const PipelineOptions pipeline{options.trace_steps, options.planner};
    lower_to_edge(program, pipeline, result.report);
    std::vector<plan::Arena> arenas = lower_to_execution(program, pipeline, result.report);
    programs.push_back(std::move(program));
    methods.push_back(emit::emit_method(programs.back(), std::move(arenas), constants));
  }
  const Breadcrumb here("archive", input);
  const emit::SegmentTable segments = emit::plan_segments(methods, constants.payloads());
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
