// What an export has to say besides the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ptec {

struct StepReport {
  std::string method;
  std::string step;
  std::int64_t elapsed_ns = 0;
  std::string text;  // the program after the step, when asked for; "unchanged" when it is as before
};

/// One method as it stands in the file.
struct MethodReport {
  std::string name;
  std::string archive;  // path, as given
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;
  std::uint64_t kernel_calls = 0;
  std::uint64_t delegate_calls = 0;
  std::uint64_t constants = 0;
  std::uint64_t planned_bytes = 0;  // all arenas together
};

struct OutputReport {
  std::string path;
  std::uint64_t size_bytes = 0;
};

/// An operator that the stock ExecuTorch runtime has no kernel for: a program that calls it only
/// loads where the application registers one.
struct MissingKernelReport {
  std::string method;
  std::string kernel;              // "aten::sort.values"
  std::vector<std::string> nodes;  // that call it
};

struct Report {
  std::vector<std::string> warnings;
  std::vector<OutputReport> outputs;  // the .pte first
  std::vector<MethodReport> methods;  // in the file's order
  std::vector<MissingKernelReport> missing_kernels;
  std::vector<StepReport> steps;  // in the order in which they ran
};

/// The report as one JSON object: docs/formats/report.md. Keys are only ever added.
std::string report_json(const Report& report);

}  // namespace ptec
