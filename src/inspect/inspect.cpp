#include "ptec/inspect.h"

#include <fmt/format.h>

#include "archive/identify.h"
#include "inspect/facts.h"
#include "support/error.h"

namespace ptec {

Inspection inspect_file(const std::string& path) {
  InputFile file = InputFile::open(path);
  const archive::FileKind kind = archive::identify_file(file);
  if (kind == archive::FileKind::Ptd) {
    return Inspection(std::make_shared<const inspect::Facts>(
        inspect::Facts{inspect::gather_ptd_facts(path, file)}));
  }
  if (kind == archive::FileKind::Pte) {
    return Inspection(std::make_shared<const inspect::Facts>(
        inspect::Facts{inspect::gather_pte_facts(path, file)}));
  }
  // What is no archive either is refused there, with what it is and what to do next.
  return Inspection(std::make_shared<const inspect::Facts>(
      inspect::Facts{inspect::gather_pt2_facts(path, std::move(file))}));
}

std::string inspection_text(const Inspection& inspection) {
  const auto& content = inspection.facts().content;
  if (const auto* pte = std::get_if<inspect::PteFacts>(&content)) return inspect::pte_text(*pte);
  if (const auto* ptd = std::get_if<inspect::PtdFacts>(&content)) return inspect::ptd_text(*ptd);
  return inspect::pt2_text(std::get<inspect::Pt2Facts>(content));
}

std::string inspection_json(const Inspection& inspection) {
  const auto& content = inspection.facts().content;
  if (const auto* pte = std::get_if<inspect::PteFacts>(&content)) return inspect::pte_json(*pte);
  if (const auto* ptd = std::get_if<inspect::PtdFacts>(&content)) return inspect::ptd_json(*ptd);
  return inspect::pt2_json(std::get<inspect::Pt2Facts>(content));
}

std::string inspection_graph(const Inspection& inspection) {
  const auto& content = inspection.facts().content;
  if (const auto* pte = std::get_if<inspect::PteFacts>(&content)) {
    fail(ErrorCode::InvalidArgument,
         fmt::format("'{}' is an ExecuTorch program (.pte), which has instructions and no graph; "
                     "inspect it without --graph",
                     pte->path));
  }
  if (const auto* ptd = std::get_if<inspect::PtdFacts>(&content)) {
    fail(ErrorCode::InvalidArgument,
         fmt::format("'{}' is external data (.ptd), which has no graph; inspect it without --graph",
                     ptd->path));
  }
  return inspect::pt2_graph(std::get<inspect::Pt2Facts>(content));
}

}  // namespace ptec
