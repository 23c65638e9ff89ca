// The names by which torch.export tells an operator's arguments apart.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ptec {

struct ArgumentName {
  std::string_view name;
  bool keyword_only = false;
  bool has_default = false;
};

/// The arguments of one operator in the order of its schema, read out of a row of
/// operator_arguments.def.
class ArgumentNames {
 public:
  explicit ArgumentNames(std::string_view row) : rest_(row) {}

  /// The next argument; nothing behind the last.
  std::optional<ArgumentName> next();

 private:
  std::string_view rest_;
};

/// The arguments of "aten::sub.Tensor"; nothing for an operator that the table does not have.
std::optional<ArgumentNames> find_argument_names(std::string_view target);

}  // namespace ptec
