// From a .pt2 archive to a .pte file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ptec/report.h"

namespace ptec {

/// How tensors get their places in the planned memory.
enum class Planner : std::uint8_t {
  Reference,  // as the reference exporter does, byte for byte
  Gaps,       // never larger, sometimes smaller
};

struct ExportOptions {
  /// Called while the file is written, with the bytes so far and in all. Return false to give up:
  /// nothing is left behind and Error Io "interrupted" is thrown.
  std::function<bool(std::uint64_t written_bytes, std::uint64_t total_bytes)> on_progress;
  /// Keep the program's text after every step in the report.
  bool trace_steps = false;
  Planner planner = Planner::Reference;
};

struct ExportResult {
  std::uint64_t size_bytes = 0;  // of the file
  Report report;
};

/// Exports the program in the archive `input` (torch.export.save or torch_tensorrt.save, torch 2.9
/// to 2.15) as method `forward` of an ExecuTorch program at `output`. Every TensorRT engine becomes
/// a delegate of its own. `output` appears whole or not at all; an existing file is replaced. The
/// archive is never changed. Throws Error: InvalidArgument when `output` is `input`; Io, Malformed,
/// Unsupported, Limit for what their names say.
ExportResult export_file(const std::string& input,
                         const std::string& output,
                         const ExportOptions& options = {});

}  // namespace ptec
