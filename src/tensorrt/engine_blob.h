// The bytes that TensorRTBackend gets: a header, the bindings as JSON, the engine.
#pragma once

#include <string>
#include <vector>

#include "ir/delegate.h"
#include "tensorrt/engine_record.h"

namespace ptec::tensorrt {

/// TR01, or TR02 when the record has aliases; docs/formats/tensorrt_blob.md. `input_names` are the
/// record's input names in the order of the delegate's arguments. The engine stays a payload: it is
/// streamed when the file is written. Throws Limit when the metadata would pass the format's 32-bit
/// offsets.
Blob make_engine_blob(const EngineRecord& record, const std::vector<std::string>& input_names);

/// The JSON inside; key order is part of the format, since the reference's native reader scans
/// forward.
std::string engine_metadata_json(const EngineRecord& record,
                                 const std::vector<std::string>& input_names);

}  // namespace ptec::tensorrt
