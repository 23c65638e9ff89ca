// The JSON of a program, of any bytes. What is read must hold its invariants, print, and parse back
// to the same text.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "ir/text.h"
#include "ir/verify.h"
#include "support/bytes.h"
#include "support/error.h"
#include "torch_export/read.h"

namespace {

void check(const ptec::Program& program) {
  ptec::verify(program, "read");
  const std::string text = ptec::print_program(program);
  PTEC_INVARIANT(ptec::print_program(ptec::parse_program(text)) == text,
                 "a program prints as it was read");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = ptec::as_text(std::as_bytes(std::span(data, size)));
  try {
    const ptec::Program program = ptec::parse_exported_program(text);
    try {
      check(program);
    } catch (const ptec::Error& error) {
      // Only a limit may stand between a program and its text.
      if (error.code() != ptec::ErrorCode::Limit) {
        PTEC_INVARIANT(false, error.what());
      }
    }
  } catch (const ptec::Error& error) {
    if (error.code() == ptec::ErrorCode::Internal) throw;  // our bug: let the fuzzer keep it
  }
  return 0;
}
