// A cursor over the text of a symbolic expression; both notations read through it.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"

namespace ptec {

class ExprScanner {
 public:
  explicit ExprScanner(std::string_view text) : text_(text) {
    if (text.size() > kMaxExpressionBytes) {
      ptec::fail(ErrorCode::Limit,
                 fmt::format("symbolic expression of {} bytes; at most {} are read",
                             text.size(),
                             kMaxExpressionBytes));
    }
  }

  [[noreturn]] void fail(std::string_view what, ErrorCode code = ErrorCode::Malformed) const {
    ptec::fail(
        code,
        fmt::format(
            "symbolic expression '{}': {} at position {}", printable(text_), what, position_));
  }

  void skip_spaces() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }
  bool at_end() const { return position_ == text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return ahead < text_.size() - position_ ? text_[position_ + ahead] : '\0';
  }
  void advance(std::size_t count = 1) { position_ += count; }

  /// Takes `wanted` after spaces, if it is there.
  bool take(std::string_view wanted) {
    skip_spaces();
    if (!text_.substr(position_).starts_with(wanted)) return false;
    position_ += wanted.size();
    return true;
  }
  void expect(std::string_view wanted) {
    if (!take(wanted)) fail(fmt::format("wanted '{}'", wanted));
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }
  static bool is_name(std::string_view text) {
    if (text.empty() || !starts_name(text.front())) return false;
    for (const char c : text) {
      if (!starts_name(c) && !is_digit(c)) return false;
    }
    return true;
  }

  /// A name, or nothing.
  std::string_view take_name() {
    skip_spaces();
    const std::size_t begin = position_;
    if (starts_name(peek())) {
      while (starts_name(peek()) || is_digit(peek())) ++position_;
    }
    return text_.substr(begin, position_ - begin);
  }

  /// An integer with an optional sign directly in front.
  std::int64_t take_integer() {
    skip_spaces();
    std::int64_t value = 0;
    const char* begin = text_.data() + position_;
    const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (problem == std::errc::result_out_of_range) fail("the integer does not fit in 64 bits");
    if (problem != std::errc()) fail("wanted an integer");
    position_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  /// A text in the given quotes; a backslash takes the next character as it is.
  std::string take_string(char quote) {
    skip_spaces();
    if (peek() != quote) fail(fmt::format("wanted {}", quote));
    std::string out;
    for (++position_; position_ < text_.size(); ++position_) {
      if (text_[position_] == quote) {
        ++position_;
        return out;
      }
      if (text_[position_] == '\\' && ++position_ == text_.size()) break;
      out += text_[position_];
    }
    fail("the text is not closed");
  }

  std::string_view text() const { return text_; }
  std::size_t position() const { return position_; }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
};

/// Counts levels of nesting while it lives.
class ExprDepth {
 public:
  ExprDepth(std::size_t& depth, const ExprScanner& scanner) : depth_(depth) {
    if (depth_ == kMaxExpressionDepth) {
      scanner.fail(fmt::format("more than {} levels of nesting", kMaxExpressionDepth),
                   ErrorCode::Limit);
    }
    ++depth_;
  }
  ~ExprDepth() { --depth_; }
  ExprDepth(const ExprDepth&) = delete;
  ExprDepth& operator=(const ExprDepth&) = delete;

 private:
  std::size_t& depth_;
};

}  // namespace ptec
