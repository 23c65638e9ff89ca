// Text from a file, made safe to stand in a one-line message.
#pragma once

#include <string>
#include <string_view>

namespace ptec {

/// `text` with control characters and bytes that are no UTF-8 as \xNN, other scripts as they are;
/// cut to `max_bytes` of its bytes at most (with "..." behind), and never inside of a character.
std::string printable(std::string_view text, std::size_t max_bytes = 80);

/// `text` with control characters, line breaks among them, and bytes that are no UTF-8 as \xNN;
/// the rest stays, other scripts included.
std::string one_line(std::string_view text);

}  // namespace ptec
