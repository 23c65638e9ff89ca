// Raising errors: one function throws, breadcrumbs say where.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "ptec/error.h"

namespace ptec {

/// Marks what is being worked on until the end of the scope: `Breadcrumb here("archive", path);`.
/// Costs a few pointer stores; the texts are read only if something below throws, so they must
/// outlive the scope.
class Breadcrumb {
 public:
  Breadcrumb(std::string_view kind, std::string_view name);
  /// A node of a graph, and the operator that it calls; empty for none.
  static Breadcrumb of_node(const std::string& name, const std::string& op);
  /// One that problems know, but that no message says.
  static Breadcrumb unsaid(std::string_view kind, std::string_view name);
  ~Breadcrumb();
  Breadcrumb(const Breadcrumb&) = delete;
  Breadcrumb& operator=(const Breadcrumb&) = delete;

  /// Fills in where `problem` is: the scopes that are open on this thread.
  static void tell(Problem& problem);
  /// "archive 'model.pt2': engine 'x': " for the scopes that problems say.
  static std::string trail();

 private:
  Breadcrumb(std::string_view kind, std::string_view name, const std::string* op, bool shown);

  std::string_view kind_;
  std::string_view name_;
  const std::string* op_;
  bool shown_;
  const Breadcrumb* outer_;
};

/// What stands for `{place}` in the remedy of a rule.
struct RemedyWord {
  std::string_view place;
  std::string_view value;
};

/// A problem at the open breadcrumbs, with its rule's code and remedy.
Problem problem_here(ProblemId id,
                     std::string_view reason,
                     std::initializer_list<RemedyWord> words = {});

/// Throws such a problem. Several at once: support/problems.h.
[[noreturn]] void fail(ProblemId id,
                       std::string_view reason,
                       std::initializer_list<RemedyWord> words = {});

/// Throws a problem that has no id but its code's own; `message` has the remedy, if any, in it.
[[noreturn]] void fail(ErrorCode code, std::string_view message);

/// For our own bugs only: throws `Internal`, in every build.
#define PTEC_INVARIANT(condition, why)                                                           \
  do {                                                                                           \
    if (!(condition)) {                                                                          \
      ::ptec::fail(                                                                              \
          ::ptec::ErrorCode::Internal,                                                           \
          std::string("broken invariant: ") + (why) + "; this is a bug in ptec, please report"); \
    }                                                                                            \
  } while (false)

}  // namespace ptec
