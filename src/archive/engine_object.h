// The list of strings that a TensorRT engine travels as, dug out of its three encodings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/payload.h"

namespace ptec::archive {

enum class EngineEncoding {
  TorchBind,     // nested zip with a protocol 2 pickle of a torchbind object
  Reconstruct,   // bare pickle that calls _reconstruct_trt_engine
  PythonObject,  // bare pickle of a Python TRTEngine object
  GraphStrings,  // strings in the graph itself: a cross-compiled program
};

std::string_view engine_encoding_name(EngineEncoding encoding);

/// Fields in index order as they stand in the record. Field 3, the engine, is left where it lies:
/// `fields[3]` is empty and `engine` names its base64 text.
struct EngineObject {
  EngineEncoding encoding = EngineEncoding::TorchBind;
  std::vector<std::string> fields;
  Payload engine;
};

inline constexpr std::size_t kEngineFieldIndex = 3;

/// Reads an engine's record out of the member `record` of an archive's file: by position, through a
/// small buffer, so that the engine's text is skipped. A restricted pickle machine: nothing is
/// executed; an opcode or global that is not on its list is Malformed, with the member, the opcode
/// and the offset.
EngineObject read_engine_object(const ByteSource::Handle& archive, const FileRecord& record);

}  // namespace ptec::archive
