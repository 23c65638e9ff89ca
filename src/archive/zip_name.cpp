#include "archive/zip_name.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"

namespace ptec::archive {
namespace {

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

// What is wrong with the name; empty when nothing is.
std::string_view fault_of(std::string_view name) {
  if (name.empty()) return "is empty";
  if (!simdjson::validate_utf8(name.data(), name.size())) return "is not UTF-8";
  if (std::any_of(name.begin(), name.end(), is_control)) return "has a control character";
  if (name.find('\\') != std::string_view::npos) return "has a backslash";
  if (name.front() == '/') return "is absolute";
  if (name.size() >= 2 && name[1] == ':' && is_letter(name[0])) return "has a drive letter";
  if (name.back() == '/') name.remove_suffix(1);
  while (true) {
    const std::size_t slash = name.find('/');
    const std::string_view component = name.substr(0, slash);
    if (component.empty()) return "has an empty component";
    if (component == "." || component == "..") return "has a '.' or '..' component";
    if (slash == std::string_view::npos) return {};
    name.remove_prefix(slash + 1);
  }
}

}  // namespace

bool check_zip_name(std::string_view name, std::uint64_t entry_offset_bytes) {
  if (name.size() > kMaxNameBytes) {
    fail(ErrorCode::Limit,
         fmt::format("zip directory at byte {}: a name of {} bytes, at most {} are read",
                     entry_offset_bytes,
                     name.size(),
                     kMaxNameBytes));
  }
  const std::string_view fault = fault_of(name);
  if (!fault.empty()) {
    fail(ErrorCode::Malformed,
         fmt::format("zip directory at byte {}: the member name '{}' {}",
                     entry_offset_bytes,
                     printable(name),
                     fault));
  }
  return name.back() == '/';
}

}  // namespace ptec::archive
