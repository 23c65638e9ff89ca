// JSON string literals in the form that Python's json.dumps gives them, for the texts that must
// equal the reference's.
#pragma once

#include <string>
#include <string_view>

namespace ptec {

/// Appends `text` as a JSON string: `"` `\` and control characters escaped, everything outside
/// ASCII as \uXXXX (surrogate pairs above U+FFFF), `/` as it is. `text` must be valid UTF-8; a
/// broken byte becomes U+FFFD.
void append_json_string(std::string& out, std::string_view text);

}  // namespace ptec
