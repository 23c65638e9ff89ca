// Which constants go to files beside the program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ptec/export.h"

namespace ptec::cli {

class Placement {
 public:
  /// Rules `PATTERN=FILE`, of which the first that matches counts; `all` puts the rest into the
  /// file that the reference names. Throws InvalidArgument for a rule of another form.
  Placement(const std::vector<std::string>& rules, bool all);

  bool empty() const { return !all_ && rules_.empty(); }
  std::optional<std::string> file_for(const ConstantInfo& constant);
  /// What no constant matched.
  std::vector<std::string> unused_patterns() const;

 private:
  struct Rule {
    std::string pattern;  // for the whole name; * and ? as in a shell
    std::string file;
    bool used;
  };
  std::vector<Rule> rules_;
  bool all_;
};

}  // namespace ptec::cli
