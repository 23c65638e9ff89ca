// The reader of what TensorRTBackend gets.
#include <cstddef>
#include <cstdint>
#include <span>

#include "pte/tensorrt_blob.h"
#include "support/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const auto file = ptec::InputFile::from_bytes("fuzz.blob", {bytes.begin(), bytes.end()});
    static_cast<void>(ptec::inspect::read_tensorrt_blob(file, {0, file.size_bytes()}));
  } catch (const ptec::Error& error) {
    if (error.code() == ptec::ErrorCode::Internal) throw;
  }
  return 0;
}
