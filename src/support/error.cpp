#include "support/error.h"

#include <algorithm>
#include <iterator>
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

constexpr ProblemRule kRules[] = {
#define PTEC_PROBLEM(id, name, code, title, remedy) \
  {ProblemId::id, name, ErrorCode::code, title, remedy},
#include "ptec/problems.def"
#undef PTEC_PROBLEM
};

/// The problem that stands for a code where nothing finer is known; it has the code's name.
ProblemId general_problem(ErrorCode code) {
  switch (code) {
#define PTEC_ERROR_CODE(id, text, exit_status) \
  case ErrorCode::id:                          \
    return ProblemId::id;
#include "ptec/error_codes.def"
#undef PTEC_ERROR_CODE
  }
  return ProblemId::Internal;
}

std::string filled(std::string_view text, std::initializer_list<RemedyWord> words) {
  std::string out(text);
  for (const RemedyWord& word : words) {
    const std::string place = std::string("{").append(word.place) + "}";
    for (std::size_t at = out.find(place); at != std::string::npos;
         at = out.find(place, at + word.value.size())) {
      out.replace(at, place.size(), word.value);
    }
  }
  return out;
}

Problem bare_problem(ErrorCode code, std::string reason) {
  Problem out;
  out.id = general_problem(code);
  out.code = code;
  out.reason = std::move(reason);
  return out;
}

std::vector<Problem> bare_problems(ErrorCode code, std::vector<std::string> reasons) {
  std::vector<Problem> out;
  for (std::string& reason : reasons) out.push_back(bare_problem(code, std::move(reason)));
  return out;
}

std::string joined(const std::vector<Problem>& problems) {
  std::string out;
  for (const Problem& problem : problems) {
    if (!out.empty()) out += "; ";
    out += problem.text();
  }
  return out;
}

}  // namespace

std::string_view error_code_name(ErrorCode code) { return kCodes[static_cast<int>(code)].text; }

int error_code_exit_status(ErrorCode code) { return kCodes[static_cast<int>(code)].exit_status; }

std::span<const ProblemRule> problem_rules() { return kRules; }

const ProblemRule& problem_rule(ProblemId id) { return kRules[static_cast<std::size_t>(id)]; }

std::optional<ProblemId> find_problem(std::string_view name) {
  const auto* rule = std::find_if(std::begin(kRules),
                                  std::end(kRules),
                                  [name](const ProblemRule& each) { return each.name == name; });
  return rule == std::end(kRules) ? std::nullopt : std::optional(rule->id);
}

// Names and texts of files stand in messages: none may make two lines of one, or reach the terminal
// as a command.
std::string Problem::text() const {
  std::string out;
  for (const ProblemPlace& place : where)
    out.append(place.kind).append(" '").append(place.name) += "': ";
  out += reason;
  if (!remedy.empty()) out.append("; ").append(remedy);
  return one_line(out);
}

Error::Error(ErrorCode code, std::string message) : Error(bare_problem(code, std::move(message))) {}

Error::Error(Problem problem) {
  problems_.push_back(std::move(problem));
  what_ = problems_.front().text();
}

Error::Error(std::vector<Problem> problems)
    : problems_(std::move(problems)), what_(joined(problems_)) {
  PTEC_INVARIANT(!problems_.empty(), "an error has a problem");
}

Error::Error(ErrorCode code, std::vector<std::string> reasons)
    : Error(bare_problems(code, std::move(reasons))) {}

Breadcrumb::Breadcrumb(std::string_view kind, std::string_view name)
    : Breadcrumb(kind, name, nullptr, true) {}

Breadcrumb::Breadcrumb(std::string_view kind,
                       std::string_view name,
                       const std::string* op,
                       bool shown)
    : kind_(kind), name_(name), op_(op), shown_(shown), outer_(innermost) {
  innermost = this;
}

Breadcrumb Breadcrumb::of_node(const std::string& name, const std::string& op) {
  return {"node", name, &op, true};
}

Breadcrumb Breadcrumb::unsaid(std::string_view kind, std::string_view name) {
  return {kind, name, nullptr, false};
}

Breadcrumb::~Breadcrumb() { innermost = outer_; }

void Breadcrumb::tell(Problem& problem) {
  std::vector<const Breadcrumb*> open;
  for (const Breadcrumb* crumb = innermost; crumb != nullptr; crumb = crumb->outer_) {
    open.push_back(crumb);
  }
  for (auto at = open.rbegin(); at != open.rend(); ++at) {
    const Breadcrumb& crumb = **at;
    if (crumb.kind_ == "archive" || crumb.kind_ == "program") problem.file = crumb.name_;
    if (crumb.kind_ == "method") problem.method = crumb.name_;
    if (crumb.kind_ == "node") {
      problem.node = crumb.name_;
      problem.op = crumb.op_ == nullptr ? std::string() : *crumb.op_;
    }
    if (crumb.shown_) problem.where.push_back({std::string(crumb.kind_), std::string(crumb.name_)});
  }
}

std::string Breadcrumb::trail() {
  Problem here;
  tell(here);
  std::string out;
  for (const ProblemPlace& place : here.where)
    out.append(place.kind).append(" '").append(place.name).append("': ");
  return out;
}

Problem problem_here(ProblemId id,
                     std::string_view reason,
                     std::initializer_list<RemedyWord> words) {
  Problem out;
  out.id = id;
  out.code = problem_rule(id).code;
  out.reason = reason;
  out.remedy = filled(problem_rule(id).remedy, words);
  Breadcrumb::tell(out);
  return out;
}

void fail(ProblemId id, std::string_view reason, std::initializer_list<RemedyWord> words) {
  throw Error(problem_here(id, reason, words));
}

void fail(ErrorCode code, std::string_view message) {
  throw Error(problem_here(general_problem(code), message));
}

}  // namespace ptec
