#include "torch_export/json_fault.h"

#include <charconv>
#include <cstdint>
#include <system_error>
#include <vector>

namespace ptec::json {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// Walks over a text; the first `false` stands for a fault, which is kept.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  std::optional<Fault> walk() {
    if (value_and_rest()) return std::nullopt;
    return fault_;
  }

 private:
  // Not recursive: the text may nest as deep as it is long.
  bool value_and_rest() {
    while (true) {
      if (!value()) return false;
      while (!open_.empty() && at(open_.back() == '{' ? '}' : ']')) open_.pop_back();
      if (open_.empty()) break;
      if (!take(',', "',' or the end of the list or object")) return false;
      if (open_.back() == '{' && !key()) return false;
    }
    spaces();
    return position_ == text_.size() || fail("the end of the text");
  }

  /// A literal, with the lists and objects that it begins; an empty one is taken whole.
  bool value() {
    while (true) {
      if (at('[')) {
        if (at(']')) return true;
        open_.push_back('[');
      } else if (at('{')) {
        if (at('}')) return true;
        open_.push_back('{');
        if (!key()) return false;
      } else {
        spaces();
        return literal();
      }
    }
  }

  bool key() {
    spaces();
    return string("a key") && take(':', "':'");
  }

  bool literal() {
    for (const std::string_view word : {"true", "false", "null"}) {
      if (text_.substr(position_).starts_with(word)) return skip(word.size());
    }
    if (peek() == '-' || is_digit(peek())) return number();
    return string("a value");
  }

  bool string(std::string_view wanted) {
    if (peek() != '"') return fail(wanted);
    for (++position_; peek() != '"'; ++position_) {
      if (position_ >= text_.size()) return fail("the end of a string");
      if (static_cast<unsigned char>(peek()) < 0x20)
        return fail("no control character in a string");
      if (peek() == '\\' && !escape()) return false;
    }
    return skip(1);
  }

  bool escape() {
    ++position_;
    if (peek() != 'u') {
      return std::string_view("\"\\/bfnrt").find(peek()) != std::string_view::npos ||
             fail("an escape");
    }
    for (int digit = 0; digit < 4; ++digit) {
      ++position_;
      if (!is_hex(peek())) return fail("four hex digits");
    }
    return true;
  }

  bool number() {
    const std::size_t begin = position_;
    if (peek() == '-') ++position_;
    const bool zero = peek() == '0';
    if (!digits() || (zero && position_ - begin > (text_[begin] == '-' ? 2u : 1u))) {
      return fail("a number");
    }
    bool integer = true;
    if (peek() == '.') {
      integer = false;
      ++position_;
      if (!digits()) return fail("digits");
    }
    if (peek() == 'e' || peek() == 'E') {
      integer = false;
      ++position_;
      if (peek() == '+' || peek() == '-') ++position_;
      if (!digits()) return fail("digits");
    }
    if (!integer || fits(text_.substr(begin, position_ - begin))) return true;
    fault_ = {begin, {}, true};
    return false;
  }

  static bool fits(std::string_view digits) {
    const char* end = digits.data() + digits.size();
    if (digits.front() == '-') {
      std::int64_t out = 0;
      return std::from_chars(digits.data(), end, out).ec == std::errc();
    }
    std::uint64_t out = 0;
    return std::from_chars(digits.data(), end, out).ec == std::errc();
  }

  bool digits() {
    const std::size_t begin = position_;
    while (is_digit(peek())) ++position_;
    return position_ != begin;
  }

  void spaces() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') ++position_;
  }
  bool at(char c) {
    spaces();
    return peek() == c && skip(1);
  }
  bool take(char c, std::string_view wanted) { return at(c) || fail(wanted); }
  bool skip(std::size_t count) {
    position_ += count;
    return true;
  }
  char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool fail(std::string_view wanted) {
    fault_ = {position_, wanted, false};
    return false;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::vector<char> open_;
  Fault fault_;
};

}  // namespace

std::optional<Fault> find_fault(std::string_view text) { return Walker(text).walk(); }

}  // namespace ptec::json
