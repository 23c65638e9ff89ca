#include "torch_export/operator_arguments.h"

#include <algorithm>
#include <iterator>

namespace ptec {
namespace {

struct Row {
  std::string_view target;
  std::string_view names;
};

constexpr Row kRows[] = {
#define PTEC_ARGUMENTS(target, names) {target, names},
#include "torch_export/operator_arguments.def"
#undef PTEC_ARGUMENTS
};

constexpr bool sorted_and_unique() {
  for (std::size_t i = 1; i < std::size(kRows); ++i) {
    if (!(kRows[i - 1].target < kRows[i].target)) return false;
  }
  return true;
}
static_assert(sorted_and_unique(), "rows of operator_arguments.def must be sorted, each once");

}  // namespace

std::optional<ArgumentName> ArgumentNames::next() {
  if (rest_.empty()) return std::nullopt;
  const std::size_t end = std::min(rest_.find(' '), rest_.size());
  ArgumentName out;
  out.name = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  out.keyword_only = out.name.starts_with('*');
  if (out.keyword_only) out.name.remove_prefix(1);
  out.has_default = out.name.ends_with('=');
  if (out.has_default) out.name.remove_suffix(1);
  return out;
}

std::optional<ArgumentNames> find_argument_names(std::string_view target) {
  const auto* row = std::lower_bound(
      std::begin(kRows), std::end(kRows), target, [](const Row& r, std::string_view wanted) {
        return r.target < wanted;
      });
  if (row == std::end(kRows) || row->target != target) return std::nullopt;
  return ArgumentNames(row->names);
}

}  // namespace ptec
