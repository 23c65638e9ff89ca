// The bytes that TensorRTBackend gets, read back: header, bindings, where the engine lies. The
// writer is tensorrt/engine_blob.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pte/plan_header.h"
#include "pte/pte.h"
#include "support/bytes.h"
#include "support/input_file.h"

namespace ptec::inspect {

inline constexpr std::string_view kTensorRtBackendId = "TensorRTBackend";

struct BlobAlias {
  std::string output;
  std::string input;
  std::string kind;
};

struct TensorRtBlob {
  std::string magic;  // "TR01" or "TR02"
  std::uint32_t metadata_offset_bytes = 0;
  std::uint32_t metadata_size_bytes = 0;
  FileRange engine;                      // from the start of the blob
  std::vector<std::string> input_names;  // in the order of the delegate's arguments
  std::vector<std::string> output_names;
  std::vector<BlobAlias> aliased_io;
  bool hardware_compatible = false;
  std::int64_t device_id = 0;
  std::string serialized_metadata;  // opaque text
  std::string target_platform;
  PlanHeader plan;
};

/// Reads the blob in `range` of `file`; of the engine only the first bytes. Throws Malformed naming
/// field, wanted and found: magic, offsets, overlaps, bytes behind the engine, JSON that is not as
/// docs/formats/tensorrt_blob.md says; Limit for metadata over kMaxRecordFieldBytes. Any bytes are
/// safe here: fuzz/blob_fuzz.cpp. Source: Torch-TensorRT 2.14, executorch/serialization.py.
TensorRtBlob read_tensorrt_blob(const InputFile& file, const FileRange& range);

}  // namespace ptec::inspect
