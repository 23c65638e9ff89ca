// Real numbers of IR text.
#pragma once

#include <optional>
#include <string_view>

namespace ptec {

/// Reads what `real_text` writes. Nothing for anything else, and for numbers that no double is
/// near.
std::optional<double> parse_real(std::string_view text);

}  // namespace ptec
