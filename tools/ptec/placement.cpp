#include "placement.h"

#include <fmt/format.h>
#include <fnmatch.h>

#include "ptec/error.h"

namespace ptec::cli {

Placement::Placement(const std::vector<std::string>& rules, bool all) : all_(all) {
  for (const std::string& text : rules) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      throw Error(ErrorCode::InvalidArgument,
                  fmt::format("--external '{}' is not PATTERN=FILE", text));
    }
    rules_.push_back({text.substr(0, equals), text.substr(equals + 1), false});
  }
}

std::optional<std::string> Placement::file_for(const ConstantInfo& constant) {
  for (Rule& rule : rules_) {
    if (::fnmatch(rule.pattern.c_str(), constant.name.c_str(), 0) != 0) continue;
    rule.used = true;
    return rule.file;
  }
  return all_ ? std::optional<std::string>("_default_external_constant") : std::nullopt;
}

std::vector<std::string> Placement::unused_patterns() const {
  std::vector<std::string> out;
  for (const Rule& rule : rules_) {
    if (!rule.used) out.push_back(rule.pattern);
  }
  return out;
}

}  // namespace ptec::cli
