// Stand-ins for TensorRT and for a GPU: what the runtime hands to a delegate is written down, so
// that a test can look at it.
//
// Device memory is host memory under the double's own bookkeeping. The delegate does not compute:
// its outputs get a pattern that `pattern_bytes` describes, so that a test can tell where they
// ended up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "array.h"
#include "pte/tensorrt_blob.h"

namespace ptec::test {

/// A delegate that a method load made.
struct DelegateLoad {
  std::string method;
  std::vector<std::byte> blob;
  inspect::TensorRtBlob parsed;
  std::vector<std::pair<std::string, std::string>> compile_specs;
};

struct DelegateArgument {
  run::Array array;  // of an output: the pattern
  bool on_device = false;
  int device_index = 0;
  bool in_device_memory = false;  // its address came from the double of the device's allocator
};

struct DelegateRun {
  std::size_t load = 0;  // which of Journal::loads
  std::vector<DelegateArgument> inputs;
  std::vector<DelegateArgument> outputs;
};

struct DeviceCopy {
  bool to_device = false;
  std::vector<std::byte> bytes;
  int device_index = 0;
};

struct Journal {
  std::vector<DelegateLoad> loads;
  std::vector<DelegateRun> runs;
  std::vector<DeviceCopy> copies;
  std::vector<std::string> faults;  // what a real delegate would have refused
};

/// Registers both doubles, once a process, and starts a new journal.
void start_journal();
Journal& journal();

/// Shapes that delegates give their outputs in the runs to come, in order of outputs over all of
/// them; empty: the largest.
void plan_output_shapes(std::vector<std::vector<std::int64_t>> shapes);

/// The bytes of element `index` of output `output` of the delegate `load`: a small ordinary number
/// in whatever type.
std::vector<std::byte> pattern_bytes(const inspect::PteDtype& dtype,
                                     std::size_t load,
                                     std::size_t output,
                                     std::size_t index);

}  // namespace ptec::test
