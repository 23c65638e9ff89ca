#include "torch_export/read_target.h"

#include <algorithm>
#include <array>
#include <vector>

namespace ptec {
namespace {

struct SymbolicTarget {
  std::string_view path;
  std::string_view target;
};

constexpr std::array kSymbolicTargets = {
#define PTEC_SYMBOLIC_TARGET(path, target) SymbolicTarget{path, target},
#include "torch_export/symbolic_targets.def"
#undef PTEC_SYMBOLIC_TARGET
};

constexpr std::string_view kOperators = "torch.ops.";

bool is_identifier(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0;;) {
    const std::size_t dot = text.find('.', begin);
    out.push_back(text.substr(begin, dot - begin));
    if (dot == std::string_view::npos) return out;
    begin = dot + 1;
  }
}

}  // namespace

std::string find_target(std::string_view text) {
  if (!text.starts_with(kOperators)) {
    for (const SymbolicTarget& row : kSymbolicTargets) {
      if (row.path == text) return std::string(row.target);
    }
    return {};
  }
  const std::vector<std::string_view> parts = split(text.substr(kOperators.size()));
  if (!std::all_of(parts.begin(), parts.end(), is_identifier)) return {};
  const bool higher_order = parts[0] == kHigherOrder.substr(0, kHigherOrder.size() - 2);
  if (parts.size() != (higher_order ? 2u : 3u)) return {};
  std::string out(parts[0]);
  out.append("::").append(parts[1]);
  if (!higher_order) out.append(".").append(parts[2]);
  return out;
}

}  // namespace ptec
