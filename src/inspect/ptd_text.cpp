#include <fmt/format.h>
#include <fmt/ranges.h>

#include "inspect/describe.h"
#include "inspect/facts.h"
#include "support/printable.h"

namespace ptec::inspect {

std::string ptd_text(const PtdFacts& facts) {
  std::string text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out,
                 "{}: ExecuTorch external data, {}\n",
                 one_line(facts.path),
                 size_text(facts.file.size_bytes));
  for (const std::string& warning : facts.file.warnings)
    fmt::format_to(out, "warning: {}\n", warning);
  fmt::format_to(out, "\nregions\n{}", regions_text(facts.regions));
  fmt::format_to(out, "\ntensors\n");
  for (const PtdEntry& entry : facts.file.entries) {
    const std::string layout = entry.layout ? layout_text(*entry.layout) : "no tensor";
    fmt::format_to(out,
                   "    '{}' {}, {}, segment {}\n",
                   printable(entry.key),
                   layout,
                   size_text(facts.file.segments[entry.segment].size_bytes),
                   entry.segment);
  }
  text.pop_back();
  return text;
}

}  // namespace ptec::inspect
