// What is wrong with several independent parts of a job, told at once.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/error.h"

namespace ptec {

/// Goes on with the next part when one fails: this is the one place beside the edges of the library
/// that catches. Our own bugs and stated limits end the job at once.
class Problems {
 public:
  template <typename Part>
  void collect(const Part& part) {
    try {
      part();
    } catch (const Error& error) {
      if (error.code() == ErrorCode::Internal || error.code() == ErrorCode::Limit) throw;
      if (!code_) code_ = error.code();
      lines_.insert(lines_.end(), error.problems().begin(), error.problems().end());
    }
  }

  bool any() const { return code_.has_value(); }

  /// Throws one Error with every line, under the first one's code.
  void throw_if_any() {
    if (any()) throw Error(*code_, std::move(lines_));
  }

 private:
  std::optional<ErrorCode> code_;
  std::vector<std::string> lines_;
};

}  // namespace ptec
