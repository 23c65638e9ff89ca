#include "ptec/export.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emit/constants.h"
#include "emit/flatbuffer.h"
#include "emit/initial_values.h"
#include "emit/method.h"
#include "emit/pte_file.h"
#include "emit/segments.h"
#include "ir/mutations.h"
#include "ops/missing_kernels.h"
#include "session/bounds_by_hand.h"
#include "session/data_files.h"
#include "session/method_sources.h"
#include "session/pipeline.h"
#include "session/problems.h"
#include "support/error.h"
#include "support/output_file.h"
#include "support/printable.h"
#include "torch_export/read.h"

namespace ptec {
namespace {

/// One method on its way from its archive to the file.
struct Lowered {
  const MethodSource* source = nullptr;
  Program program;
  std::vector<plan::Arena> arenas;
};

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

/// One warning for all methods, since it is about the file.
void warn_of_missing_kernels(const std::vector<MethodSource>& sources, Report& report) {
  if (report.missing_kernels.empty()) return;
  std::string list;
  for (const MissingKernelReport& missing : report.missing_kernels) {
    if (!list.empty()) list += ", ";
    list += edge::missing_kernels_text({{missing.kernel, missing.nodes}});
    if (sources.size() > 1) list += fmt::format(" in method '{}'", printable(missing.method));
  }
  report.warnings.push_back(fmt::format(
      "the stock ExecuTorch runtime has no kernel for {}; the program only loads where the "
      "application registers them (--lower-missing rewrites what has an exact equal, "
      "--require-kernels refuses)",
      list));
}

PipelineOptions pipeline_options(const ExportOptions& options) {
  PipelineOptions out;
  out.trace_steps = options.trace_steps;
  out.planner = options.planner;
  out.require_kernels = options.require_kernels;
  out.lower_missing = options.lower_missing;
  for (const SizeBound& bound : options.max_sizes) out.max_sizes.push_back({bound.name, bound.max});
  return out;
}

Lowered lower(const MethodSource& source,
              const archive::Pt2Archive& archive,
              const ExportOptions& options,
              BoundsByHand& bounds,
              Report& report) {
  const Breadcrumb here("archive", source.archive);
  Lowered out;
  out.source = &source;
  out.program = read_program(archive);
  out.program.name = source.name;
  PipelineOptions pipeline = pipeline_options(options);
  bounds.note(out.program, bound_by_hand(out.program, pipeline));
  std::set<std::string, std::less<>> in_place = lower_to_edge(out.program, pipeline, report);
  const std::vector<std::string> not_zero = emit::buffers_with_lost_values(out.program);
  if (options.init_buffers) {
    for (const std::string& buffer : not_zero) in_place.erase(buffer);
  } else {
    warn_of_undefined_buffers(not_zero, report);
  }
  if (options.device_state) pipeline.device_buffers = std::move(in_place);
  out.arenas = lower_to_execution(out.program, pipeline, report);
  if (options.init_buffers) warn_of_device_buffers(out.program, report);
  return out;
}

/// Bytes are read from all archives by turns while the file is written.
std::string joined_archives(const std::vector<MethodSource>& sources) {
  std::string out;
  for (const MethodSource& source : sources) {
    if (!out.empty()) out += "', '";
    out += source.archive;
  }
  return out;
}

MethodReport describe(const Lowered& lowered, const emit::Method& method) {
  MethodReport out;
  out.name = method.name;
  out.archive = lowered.source->archive;
  out.inputs = method.inputs.size();
  out.outputs = method.outputs.size();
  for (const emit::Instruction& instruction : method.instructions) {
    if (std::holds_alternative<emit::KernelCall>(instruction)) ++out.kernel_calls;
    if (std::holds_alternative<emit::DelegateCall>(instruction)) ++out.delegate_calls;
  }
  for (const emit::EValue& value : method.values) {
    const auto* tensor = std::get_if<emit::TensorValue>(&value);
    if (tensor != nullptr && lowered.program.spec(tensor->spec).constant) ++out.constants;
  }
  for (const plan::Arena& arena : lowered.arenas) out.planned_bytes += arena.size_bytes;
  return out;
}

}  // namespace

ExportResult export_methods(const std::vector<MethodSource>& sources,
                            const std::string& output,
                            const ExportOptions& options) {
  check_method_names(sources);
  const std::vector<archive::Pt2Archive> archives = open_archives(sources, output);
  ExportResult result;

  std::vector<Lowered> lowered;
  BoundsByHand bounds(options.max_sizes);
  Problems problems;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    problems.collect(
        [&] { lowered.push_back(lower(sources[i], archives[i], options, bounds, result.report)); });
  }
  if (!problems.any()) bounds.check_all_applied();
  problems.throw_if_any();
  warn_of_missing_kernels(sources, result.report);
  // The reference's file has its methods sorted, and numbers constants and blobs in that order.
  std::sort(lowered.begin(), lowered.end(), [](const Lowered& a, const Lowered& b) {
    return a.program.name < b.program.name;
  });

  std::vector<emit::Method> methods;
  emit::ConstantTable constants;
  emit::ConstantTable initial_values;
  emit::ExternalTable external(external_choice(options));
  for (const Lowered& one : lowered) {
    const Breadcrumb here("archive", one.source->archive);
    methods.push_back(emit::emit_method(one.program,
                                        one.arenas,
                                        constants,
                                        options.init_buffers ? &initial_values : nullptr,
                                        options.external_file ? &external : nullptr));
    result.report.methods.push_back(describe(one, methods.back()));
  }
  const std::string all_archives = joined_archives(sources);
  const Breadcrumb here("archive", all_archives);
  const emit::SegmentTable segments =
      emit::plan_segments(methods, constants.payloads(), initial_values.payloads());
  std::vector<std::byte> flatbuffer = emit::emit_flatbuffer(methods, segments);

  const std::vector<DataFile> data = lay_out_data_files(external, archives, output);

  std::uint64_t total = emit::pte_file_size_bytes(flatbuffer, segments);
  result.size_bytes = total;
  result.report.outputs.push_back({output, total});
  for (const DataFile& one : data) {
    total += one.image.size_bytes();
    result.report.outputs.push_back({one.path, one.image.size_bytes()});
  }
  WriteProgress progress(options, total);
  OutputFile file(output);
  progress.watch(file);
  emit::write_pte_file(file, std::move(flatbuffer), segments);
  progress.finished(file);
  // The program appears last, when all that it needs is there.
  write_data_files(data, progress);
  file.commit();
  return result;
}

ExportResult export_file(const std::string& input,
                         const std::string& output,
                         const ExportOptions& options) {
  return export_methods({{"forward", input}}, output, options);
}

}  // namespace ptec
