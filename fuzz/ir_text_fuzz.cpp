// IR text of any bytes. What parses must hold its invariants, and print the same after another
// round.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "ir/text.h"
#include "ir/verify.h"
#include "support/bytes.h"
#include "support/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = ptec::as_text(std::as_bytes(std::span(data, size)));
  try {
    const ptec::Program program = ptec::parse_program(text);
    ptec::verify(program, "parse");
    const std::string printed = ptec::print_program(program);
    PTEC_INVARIANT(ptec::print_program(ptec::parse_program(printed)) == printed,
                   "printed text parses back");
  } catch (const ptec::Error& error) {
    if (error.code() == ptec::ErrorCode::Internal) throw;  // our bug: let the fuzzer keep it
  }
  return 0;
}
