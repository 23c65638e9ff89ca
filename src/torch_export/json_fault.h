// Where a text stops being JSON: for messages only, after simdjson has refused it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ptec::json {

struct Fault {
  std::size_t offset_bytes = 0;
  std::string_view wanted;  // "a value"
  bool is_integer = false;  // it is JSON, but an integer that does not fit in 64 bits
};

/// The first place at which `text` breaks the rules of RFC 8259, or has an integer that does not
/// fit in 64 bits. Nothing when it looks all right, UTF-8 apart, which is not looked at.
std::optional<Fault> find_fault(std::string_view text);

}  // namespace ptec::json
