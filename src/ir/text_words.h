// Words and literals of IR text, for its printer and its parser. The grammar is in
// docs/formats/ir.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/program.h"

namespace ptec {

/// Whether a name or a target can stand without quotes.
bool is_bare_name(std::string_view name);
bool is_bare_target(std::string_view target);
bool is_name_start(char c);
bool is_name_part(char c);
bool is_target_part(char c);

/// `text` in double quotes, with `"` `\` and control characters escaped. Other bytes stay as they
/// are.
std::string quoted(std::string_view text);
std::string name_text(std::string_view name);      // bare, or quoted
std::string target_text(std::string_view target);  // bare, or quoted

/// Shortest text that reads back as the same number, always with a point or exponent; inf, -inf,
/// nan.
std::string real_text(double value);

struct InputKindWord {
  InputKind kind;
  std::string_view word;
};
struct OutputKindWord {
  OutputKind kind;
  std::string_view word;
  bool has_target;
};
std::string_view word_of(InputKind kind);
const OutputKindWord& word_of(OutputKind kind);
std::optional<InputKind> find_input_kind(std::string_view word);
const OutputKindWord* find_output_kind(std::string_view word);

/// The trees that a text without them has: a flat tuple of inputs, no keywords; a flat tuple of
/// outputs.
TreeSpec default_input_tree(const Program& program);
TreeSpec default_output_tree(const Program& program);
bool same_tree(const TreeSpec& a, const TreeSpec& b);

inline constexpr std::string_view kTupleType = "builtins.tuple";
inline constexpr std::string_view kListType = "builtins.list";
inline constexpr std::string_view kDictType = "builtins.dict";
inline constexpr std::string_view kSequenceContext = "null";
inline constexpr std::string_view kNoKeys = "[]";

}  // namespace ptec
