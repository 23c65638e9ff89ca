#include <fmt/format.h>

#include "inspect/facts.h"
#include "ir/text.h"
#include "support/printable.h"

namespace ptec::inspect {

std::string pt2_graph(const Pt2Facts& facts) {
  std::string out;
  for (const ModelFacts& model : facts.models) {
    if (facts.models.size() > 1)
      out += fmt::format("{}# program {}\n", out.empty() ? "" : "\n", printable(model.name));
    out += print_program(model.program);
  }
  return out;
}

}  // namespace ptec::inspect
