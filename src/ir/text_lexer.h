// A cursor over IR text that knows its line and column.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ptec/error.h"

namespace ptec {

class TextLexer {
 public:
  explicit TextLexer(std::string_view text) : text_(text) {}

  /// Throws with line and column in front.
  [[noreturn]] void fail(std::string_view message, ErrorCode code = ErrorCode::Malformed) const;
  /// "line 3, column 7"
  std::string where() const;
  std::size_t line_of(std::size_t position) const;

  bool at_end();
  /// The next character after spaces and comments; 0 at the end.
  char peek();
  /// Takes `symbol` if it comes next.
  bool take(std::string_view symbol);
  void expect(std::string_view symbol);

  /// Takes the word `word` if it comes next and ends there.
  bool take_word(std::string_view word);
  /// Letters, digits and underscores; empty if something else comes.
  std::string_view peek_word();
  std::string_view word();

  std::string name();    // bare or quoted, not empty
  std::string target();  // the same
  std::string string();  // quoted
  std::int64_t integer();
  std::uint64_t size();
  bool at_number();
  /// Text of a number up to where it ends.
  std::string_view number_text();

  /// Everything up to one of `ends` outside parentheses and quotes.
  std::string_view expression(std::string_view ends);

  std::size_t position() const { return position_; }
  void back_to(std::size_t position) { position_ = position; }

 private:
  void skip();
  std::string bare_or_quoted(bool target);

  std::string_view text_;
  std::size_t position_ = 0;
};

}  // namespace ptec
