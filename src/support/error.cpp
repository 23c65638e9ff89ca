#include "support/error.h"

#include <utility>

#include "support/printable.h"

namespace ptec {
namespace {

thread_local const Breadcrumb* innermost = nullptr;

struct CodeRow {
  std::string_view text;
  int exit_status;
};

constexpr CodeRow kCodes[] = {
#define PTEC_ERROR_CODE(id, text, exit_status) {text, exit_status},
#include "ptec/error_codes.def"
#undef PTEC_ERROR_CODE
};

/// Names and texts of files stand in messages: none may make two lines of one, or reach the
/// terminal as a command.
std::vector<std::string> one_line_each(std::vector<std::string> problems) {
  for (std::string& problem : problems) problem = one_line(problem);
  return problems;
}

std::string joined(const std::vector<std::string>& problems) {
  std::string out;
  for (const std::string& problem : problems) {
    if (!out.empty()) out += "; ";
    out += problem;
  }
  return out;
}

}  // namespace

std::string_view error_code_name(ErrorCode code) { return kCodes[static_cast<int>(code)].text; }

int error_code_exit_status(ErrorCode code) { return kCodes[static_cast<int>(code)].exit_status; }

Error::Error(ErrorCode code, std::string message) : code_(code), what_(one_line(message)) {
  problems_.push_back(what_);
}

Error::Error(ErrorCode code, std::vector<std::string> problems)
    : code_(code), problems_(one_line_each(std::move(problems))) {
  what_ = joined(problems_);
}

Breadcrumb::Breadcrumb(std::string_view kind, std::string_view name)
    : kind_(kind), name_(name), outer_(innermost) {
  innermost = this;
}

Breadcrumb::~Breadcrumb() { innermost = outer_; }

std::string Breadcrumb::trail() {
  std::vector<const Breadcrumb*> open;
  for (const Breadcrumb* crumb = innermost; crumb != nullptr; crumb = crumb->outer_) {
    open.push_back(crumb);
  }
  std::string out;
  for (auto crumb = open.rbegin(); crumb != open.rend(); ++crumb) {
    out.append((*crumb)->kind_).append(" '").append((*crumb)->name_).append("': ");
  }
  return out;
}

void fail(ErrorCode code, std::string_view message) {
  throw Error(code, Breadcrumb::trail().append(message));
}

}  // namespace ptec
