// The strict reader of .ptd files, and what inspection makes of them.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "inspect/facts.h"
#include "support/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const auto file = ptec::InputFile::from_bytes("fuzz.ptd", {bytes.begin(), bytes.end()});
    const ptec::inspect::PtdFacts facts = ptec::inspect::gather_ptd_facts("fuzz.ptd", file);
    static_cast<void>(ptec::inspect::ptd_text(facts));
    static_cast<void>(ptec::inspect::ptd_json(facts));
  } catch (const ptec::Error& error) {
    if (error.code() == ptec::ErrorCode::Internal) throw;
  }
  return 0;
}
