#include "inspect/pt2_words.h"

#include <fmt/format.h>

#include <array>

#include "inspect/describe.h"
#include "support/bytes.h"
#include "support/printable.h"

namespace ptec::inspect {
namespace {

std::string scalar_text(const Program& program, const SymScalar& scalar) {
  static constexpr std::array<std::string_view, 3> kKinds = {"int", "float", "bool"};
  const std::string_view kind = kKinds[static_cast<std::size_t>(scalar.kind)];
  if (scalar.number) return fmt::format("{} {}", kind, *scalar.number);
  if (scalar.kind == ScalarKind::Float) return std::string(kind);
  return fmt::format("{} {}", kind, program.exprs.print(scalar.value));
}

}  // namespace

std::string_view input_kind_name(InputKind kind) {
  static constexpr std::array<std::string_view, 7> kNames = {"user input",
                                                             "constant input",
                                                             "parameter",
                                                             "buffer",
                                                             "tensor constant",
                                                             "custom object",
                                                             "token"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view output_kind_name(OutputKind kind) {
  static constexpr std::array<std::string_view, 8> kNames = {"user output",
                                                             "buffer mutation",
                                                             "parameter mutation",
                                                             "user input mutation",
                                                             "loss output",
                                                             "gradient to parameter",
                                                             "gradient to user input",
                                                             "token"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string item_text(const Program& program, const ValueItem& item) {
  if (const auto* tensor = std::get_if<TensorMeta>(&item)) return tensor_text(program, *tensor);
  if (const auto* scalar = std::get_if<SymScalar>(&item)) return scalar_text(program, *scalar);
  if (const auto* object = std::get_if<ObjectRef>(&item))
    return fmt::format("object '{}'", printable(object->fqn));
  return "nothing";
}

std::string item_text(const Program& program, const Value& value) {
  if (const auto* tensor = value.tensor()) return tensor_text(program, *tensor);
  if (const auto* scalar = value.scalar()) return scalar_text(program, *scalar);
  if (const auto* object = std::get_if<ObjectRef>(&value.v))
    return fmt::format("object '{}'", printable(object->fqn));
  if (const auto* list = value.list()) {
    std::string out;
    for (const ValueItem& item : *list)
      out += (out.empty() ? "(" : ", ") + item_text(program, item);
    return out.empty() ? "()" : out + ")";
  }
  return "nothing";
}

std::string result_text(const Program& program, const Argument& result) {
  if (const NodeId* node = result.node()) return item_text(program, program.graph.at(*node).value);
  if (const auto* number = std::get_if<std::int64_t>(&result.v))
    return fmt::format("int {}", *number);
  if (const auto* real = std::get_if<double>(&result.v)) return fmt::format("float {}", *real);
  if (const auto* flag = std::get_if<bool>(&result.v)) return fmt::format("bool {}", *flag);
  if (const auto* text = std::get_if<std::string>(&result.v))
    return fmt::format("string '{}'", printable(*text));
  return result.is_none() ? "none" : "something";
}

std::uint64_t tensor_size_bytes(const TensorData& data) {
  std::uint64_t size = static_cast<std::uint64_t>(info(data.meta.dtype).size_bytes);
  for (const Dim& dim : data.meta.sizes) {
    size = checked_mul(size, static_cast<std::uint64_t>(dim.is_number() ? dim.number() : 0))
               .value_or(0);
  }
  return size;
}

}  // namespace ptec::inspect
