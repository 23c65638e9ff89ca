// What an export has to say besides the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ptec {

struct StepReport {
  std::string method;
  std::string step;
  std::int64_t elapsed_ns = 0;
  std::string text;  // the program after the step, when asked for; "unchanged" when it is as before
};

struct Report {
  std::vector<std::string> warnings;
  std::vector<StepReport> steps;  // in the order in which they ran
};

}  // namespace ptec
