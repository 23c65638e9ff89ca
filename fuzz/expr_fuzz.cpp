// A symbolic expression of any bytes, in both notations: prints and reads back, and its value lies
// within its bounds.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "support/bytes.h"
#include "support/error.h"
#include "sym/sym_expr.h"

namespace {

void check(ptec::ExprPool& pool, const ptec::Dim& dim) {
  const std::string text = pool.print(dim);
  ptec::SymbolRanges ranges;
  std::map<std::string, std::int64_t, std::less<>> values;
  std::int64_t next = 2;
  for (const std::string& symbol : pool.symbols(dim)) {
    ranges[symbol] = {next - 2, next + 3};
    values[symbol] = next++;
  }
  const ptec::Range bounds = pool.bounds(dim, ranges);
  if (const auto value = pool.evaluate(dim, values)) {
    PTEC_INVARIANT(!bounds.min || *bounds.min <= *value, "a value below the bounds of " + text);
    PTEC_INVARIANT(!bounds.max || *bounds.max >= *value, "a value above the bounds of " + text);
  }
  PTEC_INVARIANT(pool.print(pool.parse_infix(text)) == text,
                 "an expression prints as read: " + text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = ptec::as_text(std::as_bytes(std::span(data, size)));
  for (const bool srepr : {true, false}) {
    try {
      ptec::ExprPool pool;
      check(pool, srepr ? pool.parse_srepr(text) : pool.parse_infix(text));
    } catch (const ptec::Error& error) {
      if (error.code() == ptec::ErrorCode::Internal) throw;  // our bug: let the fuzzer keep it
    }
  }
  return 0;
}
