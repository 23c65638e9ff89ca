#include "ptec/inspect.h"

#include <fmt/format.h>

#include "archive/identify.h"
#include "inspect/facts.h"
#include "support/error.h"

namespace ptec {

Inspection inspect_file(const std::string& path) {
  InputFile file = InputFile::open(path);
  if (archive::identify_file(file) == archive::FileKind::Pte) {
    return Inspection(std::make_shared<const inspect::Facts>(
        inspect::Facts{inspect::gather_pte_facts(path, file)}));
  }
  // What is no archive either is refused there, with what it is and what to do next.
  return Inspection(std::make_shared<const inspect::Facts>(
      inspect::Facts{inspect::gather_pt2_facts(path, std::move(file))}));
}

std::string inspection_text(const Inspection& inspection) {
  const auto& content = inspection.facts().content;
  const auto* pte = std::get_if<inspect::PteFacts>(&content);
  return pte != nullptr ? inspect::pte_text(*pte)
                        : inspect::pt2_text(std::get<inspect::Pt2Facts>(content));
}

std::string inspection_json(const Inspection& inspection) {
  const auto& content = inspection.facts().content;
  const auto* pte = std::get_if<inspect::PteFacts>(&content);
  return pte != nullptr ? inspect::pte_json(*pte)
                        : inspect::pt2_json(std::get<inspect::Pt2Facts>(content));
}

std::string inspection_graph(const Inspection& inspection) {
  const auto& content = inspection.facts().content;
  if (const auto* pte = std::get_if<inspect::PteFacts>(&content)) {
    fail(ErrorCode::InvalidArgument,
         fmt::format("'{}' is an ExecuTorch program (.pte), which has instructions and no graph; "
                     "inspect it without --graph",
                     pte->path));
  }
  return inspect::pt2_graph(std::get<inspect::Pt2Facts>(content));
}

}  // namespace ptec
