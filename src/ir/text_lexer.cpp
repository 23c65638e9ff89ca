#include "ir/text_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ir/text_words.h"
#include "support/error.h"
#include "support/printable.h"

namespace ptec {
namespace {

bool is_word_part(char c) { return is_name_part(c) && c != '.'; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::size_t TextLexer::line_of(std::size_t position) const {
  return 1 + static_cast<std::size_t>(std::count(
                 text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
}

std::string TextLexer::where() const {
  const std::size_t last = text_.substr(0, position_).rfind('\n');
  const std::size_t column = last == std::string_view::npos ? position_ + 1 : position_ - last;
  return fmt::format("line {}, column {}", line_of(position_), column);
}

void TextLexer::fail(std::string_view message, ErrorCode code) const {
  ptec::fail(code, fmt::format("{}: {}", where(), message));
}

void TextLexer::skip() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '#') {
      while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++position_;
    } else {
      return;
    }
  }
}

bool TextLexer::at_end() {
  skip();
  return position_ == text_.size();
}

char TextLexer::peek() {
  skip();
  return position_ < text_.size() ? text_[position_] : '\0';
}

bool TextLexer::take(std::string_view symbol) {
  skip();
  if (!text_.substr(position_).starts_with(symbol)) return false;
  position_ += symbol.size();
  return true;
}

void TextLexer::expect(std::string_view symbol) {
  if (take(symbol)) return;
  const std::string_view rest = text_.substr(position_);
  fail(fmt::format("wanted '{}', found {}",
                   symbol,
                   rest.empty() ? "the end" : fmt::format("'{}'", printable(rest, 12))));
}

std::string_view TextLexer::peek_word() {
  skip();
  std::size_t end = position_;
  if (end < text_.size() && is_name_start(text_[end])) {
    while (end < text_.size() && is_word_part(text_[end])) ++end;
  }
  return text_.substr(position_, end - position_);
}

std::string_view TextLexer::word() {
  const std::string_view out = peek_word();
  if (out.empty()) fail("wanted a word");
  position_ += out.size();
  return out;
}

bool TextLexer::take_word(std::string_view wanted) {
  if (peek_word() != wanted) return false;
  position_ += wanted.size();
  return true;
}

std::string TextLexer::bare_or_quoted(bool target) {
  if (peek() == '"') {
    std::string out = string();
    if (out.empty()) fail("a name is not empty");
    return out;
  }
  std::size_t end = position_;
  if (end < text_.size() && is_name_start(text_[end])) {
    while (end < text_.size() && (target ? is_target_part(text_[end]) : is_name_part(text_[end]))) {
      ++end;
    }
  }
  if (end == position_) fail("wanted a name");
  std::string out(text_.substr(position_, end - position_));
  position_ = end;
  return out;
}

std::string TextLexer::name() { return bare_or_quoted(false); }
std::string TextLexer::target() { return bare_or_quoted(true); }

std::string TextLexer::string() {
  expect("\"");
  std::string out;
  while (position_ < text_.size()) {
    const char c = text_[position_++];
    if (c == '"') return out;
    if (c != '\\') {
      out += c;
      continue;
    }
    const char escape = position_ < text_.size() ? text_[position_++] : '\0';
    if (escape == '"' || escape == '\\') {
      out += escape;
    } else if (escape == 'n') {
      out += '\n';
    } else if (escape == 'x' && position_ + 2 <= text_.size() && hex_digit(text_[position_]) >= 0 &&
               hex_digit(text_[position_ + 1]) >= 0) {
      out += static_cast<char>(hex_digit(text_[position_]) * 16 + hex_digit(text_[position_ + 1]));
      position_ += 2;
    } else {
      fail("unknown escape in a text");
    }
  }
  fail("a text is not closed");
}

bool TextLexer::at_number() {
  const char c = peek();
  return c == '-' || (c >= '0' && c <= '9');
}

std::string_view TextLexer::number_text() {
  skip();
  std::size_t end = position_;
  if (end < text_.size() && text_[end] == '-') ++end;
  while (end < text_.size() &&
         (is_name_part(text_[end]) ||
          ((text_[end] == '-' || text_[end] == '+') && text_[end - 1] == 'e'))) {
    ++end;
  }
  const std::string_view out = text_.substr(position_, end - position_);
  position_ = end;
  return out;
}

std::int64_t TextLexer::integer() {
  skip();
  const std::size_t begin = position_;
  const std::string_view text = number_text();
  std::int64_t out = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem == std::errc() && end == text.data() + text.size()) return out;
  position_ = begin;
  fail(fmt::format("wanted an integer of 64 bits, found '{}'", printable(text, 24)));
}

std::uint64_t TextLexer::size() {
  const std::int64_t out = integer();
  if (out < 0) fail("a size is not negative");
  return static_cast<std::uint64_t>(out);
}

std::string_view TextLexer::expression(std::string_view ends) {
  skip();
  const std::size_t begin = position_;
  std::size_t depth = 0;
  bool in_quotes = false;
  for (; position_ < text_.size(); ++position_) {
    const char c = text_[position_];
    if (in_quotes) {
      if (c == '\\') {
        ++position_;
      } else if (c == '"') {
        in_quotes = false;
      }
    } else if (depth == 0 && ends.find(c) != std::string_view::npos) {
      return text_.substr(begin, position_ - begin);
    } else if (c == '"') {
      in_quotes = true;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')' && depth > 0) {
      --depth;
    } else if (c == '\n') {
      break;
    }
  }
  position_ = begin;
  fail(fmt::format("an expression does not end with one of '{}' on its line", ends));
}

}  // namespace ptec
