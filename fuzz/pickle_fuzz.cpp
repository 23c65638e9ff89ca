// An engine's record of any bytes: the nested zip, the pickle machine, the fields and the base64 of
// the engine.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "archive/engine_object.h"
#include "support/error.h"
#include "support/payload_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const ptec::ByteSource::Handle file = ptec::ByteSource::of_file(
        ptec::InputFile::from_bytes("fuzz", {bytes.begin(), bytes.end()}));
    const ptec::FileRecord record{"record", 0, bytes.size(), 0};
    const ptec::archive::EngineObject engine = ptec::archive::read_engine_object(file, record);
    ptec::read_payload(engine.engine, 1u << 20);
  } catch (const ptec::Error& error) {
    if (error.code() == ptec::ErrorCode::Internal) throw;  // our bug: let the fuzzer keep it
  }
  return 0;
}
