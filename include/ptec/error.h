// The one exception type of the library, and the problems that it carries.
#pragma once

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ptec {

/// What kind of thing went wrong. Each code has one exit status in the command line tool.
enum class ErrorCode {
#define PTEC_ERROR_CODE(id, text, exit_status) id,
#include "ptec/error_codes.def"
#undef PTEC_ERROR_CODE
};

/// Stable lower-case word for a code, for example "malformed".
std::string_view error_code_name(ErrorCode code);

/// Exit status of a process that ends with this code.
int error_code_exit_status(ErrorCode code);

/// Which problem it is: finer than its code. Source: ptec/problems.def.
enum class ProblemId : std::uint16_t {
#define PTEC_PROBLEM(id, name, code, title, remedy) id,
#include "ptec/problems.def"
#undef PTEC_PROBLEM
};

/// What is known of a problem before it is met: a row of ptec/problems.def.
struct ProblemRule {
  ProblemId id;
  std::string_view name;  // stable: "operator-unknown"
  ErrorCode code;
  std::string_view title;   // what is wrong, in general
  std::string_view remedy;  // with places such as {name} to fill; may be empty
};

/// Every row, in the order of ProblemId.
std::span<const ProblemRule> problem_rules();
const ProblemRule& problem_rule(ProblemId id);
/// By its stable name. Nothing when there is no such problem.
std::optional<ProblemId> find_problem(std::string_view name);

/// What was being worked on: {"archive", "model.pt2"}, {"node", "add_1"}.
struct ProblemPlace {
  std::string kind;
  std::string name;
  bool operator==(const ProblemPlace&) const = default;
};

/// One thing that is wrong. Texts are empty where nothing is known; names are as in the file.
struct Problem {
  ProblemId id = ProblemId::Internal;
  ErrorCode code = ErrorCode::Internal;
  std::string file;  // path of the archive or program, as given
  std::string method;
  std::string node;                 // of the method's graph
  std::string op;                   // operator that the node calls: "aten::add.Tensor"
  std::string reason;               // what was wanted and what was found
  std::string remedy;               // what to do about it
  std::vector<ProblemPlace> where;  // outermost first

  /// One line: the places, the reason and the remedy. Control characters stand as \xNN.
  std::string text() const;
};

/// Thrown for every failure. `problems()` has at least one problem; those that were found together
/// are all there, under the code of the first. `what()` joins their texts with "; ".
class Error : public std::exception {
 public:
  /// A problem that has no id but its code's own.
  Error(ErrorCode code, std::string message);
  explicit Error(Problem problem);
  /// At least one.
  explicit Error(std::vector<Problem> problems);
  /// Problems of one code that have no ids.
  Error(ErrorCode code, std::vector<std::string> reasons);

  ErrorCode code() const { return problems_.front().code; }
  const char* what() const noexcept override { return what_.c_str(); }
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
  std::string what_;
};

}  // namespace ptec
