// Which operator a node calls.
#pragma once

#include <string>
#include <string_view>

namespace ptec {

inline constexpr std::string_view kHigherOrder = "higher_order::";

/// "torch.ops.aten.add.Tensor" -> "aten::add.Tensor", "torch.ops.higher_order.cond" ->
/// "higher_order::cond",
/// "_operator.add" -> "sym::add". Empty for anything else: extension operators, other Python paths.
std::string find_target(std::string_view text);

}  // namespace ptec
