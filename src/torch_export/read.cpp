#include "torch_export/read.h"

#include <fmt/format.h>

#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"
#include "torch_export/json.h"
#include "torch_export/read_payloads.h"
#include "torch_export/read_program_json.h"

namespace ptec {
namespace {

[[noreturn]] void fail_no_model(const archive::Pt2Archive& archive, std::string_view model) {
  std::string found;
  for (const std::string& name : archive.model_names()) {
    if (found.size() > 200) {
      found += ", ...";
      break;
    }
    found += fmt::format("{}'{}'", found.empty() ? "" : ", ", printable(name));
  }
  fail(ErrorCode::Malformed,
       fmt::format("the archive has no program '{}'; it has {}",
                   printable(model),
                   found.empty() ? "none" : found));
}

}  // namespace

Program read_program(const archive::Pt2Archive& archive, std::string_view model) {
  const std::string member = fmt::format("models/{}.json", model);
  if (archive.find_member(member) == nullptr) fail_no_model(archive, model);
  Program program;
  {
    const Breadcrumb here("member", member);
    // The document is by far the largest thing while it lives; nothing below needs it.
    const json::Document document =
        json::Document::parse(archive.read_member(member, kMaxJsonBytes));
    program = read_program_json(document);
  }
  read_payloads(archive, model, program);
  return program;
}

Program parse_exported_program(std::string_view json) {
  Program program = read_program_json(json::Document::parse(json));
  describe_payloads(program);
  return program;
}

}  // namespace ptec
