#include "ir/text_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ptec {
namespace {

// UserInput has no word: it is what a placeholder is otherwise.
constexpr InputKindWord kInputKinds[] = {
    {InputKind::UserInput, ""},
    {InputKind::ConstantInput, "constant_input"},
    {InputKind::Parameter, "parameter"},
    {InputKind::Buffer, "buffer"},
    {InputKind::TensorConstant, "constant"},
    {InputKind::CustomObject, "custom_object"},
    {InputKind::Token, "token"},
};

constexpr OutputKindWord kOutputKinds[] = {
    {OutputKind::UserOutput, "", false},
    {OutputKind::BufferMutation, "buffer_mutation", true},
    {OutputKind::ParameterMutation, "parameter_mutation", true},
    {OutputKind::UserInputMutation, "user_input_mutation", true},
    {OutputKind::LossOutput, "loss_output", false},
    {OutputKind::GradientToParameter, "gradient_to_parameter", true},
    {OutputKind::GradientToUserInput, "gradient_to_user_input", true},
    {OutputKind::Token, "token", false},
};

TreeSpec sequence(std::size_t leaves) {
  TreeSpec out;
  out.type = std::string(kTupleType);
  out.context = kSequenceContext;
  out.children.resize(leaves);
  return out;
}

}  // namespace

bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || (c >= '0' && c <= '9') || c == '.'; }
bool is_target_part(char c) { return is_name_part(c) || c == ':'; }

bool is_bare_name(std::string_view name) {
  return !name.empty() && is_name_start(name.front()) &&
         std::all_of(name.begin(), name.end(), is_name_part);
}

bool is_bare_target(std::string_view target) {
  return !target.empty() && is_name_start(target.front()) &&
         std::all_of(target.begin(), target.end(), is_target_part);
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  out += '"';
  return out;
}

std::string name_text(std::string_view name) {
  return is_bare_name(name) ? std::string(name) : quoted(name);
}

std::string target_text(std::string_view target) {
  return is_bare_target(target) ? std::string(target) : quoted(target);
}

std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::string out = fmt::format("{}", value);
  if (out.find_first_of(".e") == std::string::npos) out += ".0";
  return out;
}

std::string_view word_of(InputKind kind) {
  return kInputKinds[static_cast<std::size_t>(kind)].word;
}
const OutputKindWord& word_of(OutputKind kind) {
  return kOutputKinds[static_cast<std::size_t>(kind)];
}

std::optional<InputKind> find_input_kind(std::string_view word) {
  for (const InputKindWord& row : kInputKinds) {
    if (!word.empty() && row.word == word) return row.kind;
  }
  return std::nullopt;
}

const OutputKindWord* find_output_kind(std::string_view word) {
  for (const OutputKindWord& row : kOutputKinds) {
    if (!word.empty() && row.word == word) return &row;
  }
  return nullptr;
}

TreeSpec default_input_tree(const Program& program) {
  const auto leaves =
      std::count_if(program.inputs.begin(), program.inputs.end(), [](const InputSpec& input) {
        return input.kind == InputKind::UserInput || input.kind == InputKind::ConstantInput;
      });
  TreeSpec out = sequence(0);
  TreeSpec keywords;
  keywords.type = std::string(kDictType);
  keywords.context = kNoKeys;
  out.children.push_back(sequence(static_cast<std::size_t>(leaves)));
  out.children.push_back(std::move(keywords));
  return out;
}

TreeSpec default_output_tree(const Program& program) {
  const auto leaves =
      std::count_if(program.outputs.begin(), program.outputs.end(), [](const OutputSpec& output) {
        return output.kind == OutputKind::UserOutput;
      });
  return sequence(static_cast<std::size_t>(leaves));
}

bool same_tree(const TreeSpec& a, const TreeSpec& b) {
  return a.type == b.type && a.context == b.context &&
         std::equal(
             a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), same_tree);
}

}  // namespace ptec
