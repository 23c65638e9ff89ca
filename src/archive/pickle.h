// A pickle machine that can make one thing only: the list of strings of a TensorRT engine.
#pragma once

#include <cstdint>
#include <vector>

#include "support/input_file.h"

namespace ptec::archive {

/// A text as it lies in the file.
struct TextRange {
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
};

/// The class that the pickle makes, which tells the encodings apart.
enum class PickledClass {
  TorchBindEngine,    // NEWOBJ, then BUILD with a list tagged `List[str]`
  ReconstructEngine,  // REDUCE of a function with the list
  PythonEngine,       // NEWOBJ, then BUILD with (list, "TRTEngine")
};

struct PickledEngine {
  PickledClass pickled_class = PickledClass::TorchBindEngine;
  std::vector<TextRange> fields;  // 1 to kMaxRecordFields; not checked for UTF-8
};

/// Runs the pickle in a range of a file. Nothing is imported, called or executed: globals are
/// compared with the four names that an engine needs, and strings are skipped over, so that their
/// size costs nothing. Throws Malformed with opcode and offset for everything else, Unsupported for
/// an engine in raw bytes, Limit for counts over the bounds. Any bytes are safe here:
/// fuzz/pickle_fuzz.cpp.
PickledEngine read_engine_pickle(const InputFile& file,
                                 std::uint64_t begin_offset_bytes,
                                 std::uint64_t size_bytes);

}  // namespace ptec::archive
