// What is wrong with several independent parts of a job, told at once.
#pragma once

#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include "support/error.h"

namespace ptec {

/// Collects problems and throws them together: `add` for one that a check found, `collect` for a
/// part of the job that may throw. Nothing else in the library catches errors.
class Problems {
 public:
  /// With the breadcrumbs that are open.
  void add(ProblemId id, std::string_view reason, std::initializer_list<RemedyWord> words = {}) {
    add(problem_here(id, reason, words));
  }
  void add(Problem problem) { found_.push_back(std::move(problem)); }

  /// Runs `part()` and keeps what it throws, so that the next part can be looked at. Our own bugs
  /// end the job at once.
  template <typename Part>
  void collect(const Part& part) {
    try {
      part();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Internal) throw;
      found_.insert(found_.end(), error.problems().begin(), error.problems().end());
    }
  }

  bool any() const { return !found_.empty(); }
  const std::vector<Problem>& found() const { return found_; }

  /// Throws one Error with every problem, in the order found, under the first one's code.
  void throw_if_any() {
    if (any()) throw Error(std::move(found_));
  }

 private:
  std::vector<Problem> found_;
};

}  // namespace ptec
