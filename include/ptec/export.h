// From .pt2 archives to a .pte file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ptec/report.h"

namespace ptec {

/// How tensors get their places in the planned memory.
enum class Planner : std::uint8_t {
  Reference,  // as the reference exporter does, byte for byte
  Gaps,       // never larger, sometimes smaller
};

/// An upper bound for a dimension that the archive gives none.
struct SizeBound {
  std::string name;  // of a symbol, as in "s10", or of an input's dimension, as in "x.0"
  std::int64_t max = 0;
};

/// A parameter, buffer or constant, as the choice of its place sees it.
struct ConstantInfo {
  std::string method;
  std::string name;  // fully qualified, as in the archive
  std::uint64_t size_bytes = 0;
};

struct ExportOptions {
  /// Called while files are written, with the bytes so far and in all. Return false to give up:
  /// nothing is left behind and Error Io "interrupted" is thrown.
  std::function<bool(std::uint64_t written_bytes, std::uint64_t total_bytes)> on_progress;
  /// Keep the program's text after every step in the report.
  bool trace_steps = false;
  /// Store the saved value of every buffer that the program writes to, so that a loaded method
  /// starts with it. Without, such a buffer starts undefined, and a warning names it unless its
  /// saved value is all zeros.
  bool init_buffers = false;
  /// Plan caches that an engine updates in place in device memory, so that no run copies them. With
  /// `init_buffers`, those whose saved value is not all zeros stay on the host: the runtime fills
  /// host memory only.
  bool device_state = false;
  Planner planner = Planner::Reference;
  /// Each applies to every method that has such a dimension without an upper bound; one that no
  /// method has is InvalidArgument.
  std::vector<SizeBound> max_sizes;
  /// Throw Unsupported for operators that the stock ExecuTorch runtime has no kernel for. Without
  /// it they are exported as the reference does, with one warning that lists them.
  bool require_kernels = false;
  /// Rewrite such operators with others that have kernels, where the numbers stay the same.
  bool lower_missing = false;
  /// Asked for each constant, in the file's order; the answer is the name of the .ptd file beside
  /// the program that it goes to, with or without ".ptd". Nothing keeps it in the program. Literals
  /// of the model's code are not asked for, nor buffers that the program writes to.
  std::function<std::optional<std::string>(const ConstantInfo&)> external_file;
};

/// One method of the program to write, and the archive that it comes from.
struct MethodSource {
  std::string name;     // any text but an empty one; need not be an identifier
  std::string archive;  // path
};

struct ExportResult {
  std::uint64_t size_bytes = 0;  // of the .pte
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

/// The same for one or more methods, each with an archive of its own. The file has them sorted by
/// name; equal engines and equal constants are stored once for all. What is wrong with any of the
/// methods is reported together, in the given order, under the code of the first. Throws
/// InvalidArgument, before anything is read, for no method at all, a name that is empty, not UTF-8
/// or given twice, and for one file under two names.
ExportResult export_methods(const std::vector<MethodSource>& methods,
                            const std::string& output,
                            const ExportOptions& options = {});

}  // namespace ptec
