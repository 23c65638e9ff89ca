#include "support/json_text.h"

#include <cstdint>

namespace ptec {
namespace {

constexpr char kHex[] = "0123456789abcdef";

void append_unit(std::string& out, std::uint32_t unit) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(unit >> shift) & 0xF];
}

struct Decoded {
  std::uint32_t code_point;
  std::size_t length;
};

/// The code point at the front of `text`, which is not empty; U+FFFD and one byte for what is no
/// UTF-8.
Decoded decode_utf8(std::string_view text) {
  const auto byte = [&text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80         ? 1
                             : (lead >> 5) == 6  ? 2
                             : (lead >> 4) == 14 ? 3
                             : (lead >> 3) == 30 ? 4
                                                 : 0;
  constexpr std::uint32_t kLeadMask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
  if (length == 0 || length > text.size()) return {0xFFFD, 1};
  std::uint32_t code_point = lead & kLeadMask[length];
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {0xFFFD, 1};
    code_point = (code_point << 6) | (byte(i) & 0x3Fu);
  }
  return {code_point, length};
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const auto [code_point, length] = decode_utf8(text);
    switch (code_point) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        if (code_point < 0x20 || (code_point >= 0x7F && code_point < 0x10000)) {
          append_unit(out, code_point);
        } else if (code_point >= 0x10000) {
          append_unit(out, 0xD800 + ((code_point - 0x10000) >> 10));
          append_unit(out, 0xDC00 + ((code_point - 0x10000) & 0x3FF));
        } else {
          out += static_cast<char>(code_point);
        }
    }
    text.remove_prefix(length);
  }
  out += '"';
}

}  // namespace ptec
