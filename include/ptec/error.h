// The one exception type of the library.
#pragma once

#include <exception>
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

/// Thrown for every failure. `what()` is one line that says where, what was wanted and what was
/// found; control characters in it stand as \xNN. When several problems were found together,
/// `problems()` has one such line for each and `what()` joins them with "; ".
class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message);
  Error(ErrorCode code, std::vector<std::string> problems);

  ErrorCode code() const { return code_; }
  const char* what() const noexcept override { return what_.c_str(); }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  ErrorCode code_;
  std::string what_;
  std::vector<std::string> problems_;
};

}  // namespace ptec
