// Element types of tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ptec {

enum class ScalarType : std::uint8_t {
#define PTEC_SCALAR_TYPE(id, name, text, pt2, pte, bytes) id,
#include "ir/scalar_type.def"
#undef PTEC_SCALAR_TYPE
};

struct ScalarTypeInfo {
  ScalarType id;
  std::string_view name;  // torch's name without "torch."
  std::string_view text;  // in IR text
  int pt2_code;           // in torch.export's JSON
  int pte_code;           // in a .pte; -1 when ExecuTorch has none
  int size_bytes;         // of one element
};

const ScalarTypeInfo& info(ScalarType type);
std::optional<ScalarType> find_scalar_type_by_pt2_code(std::int64_t code);
std::optional<ScalarType> find_scalar_type_by_pte_code(std::int64_t code);
std::optional<ScalarType> find_scalar_type_by_text(std::string_view text);
bool is_floating(ScalarType type);  // half, bfloat16 and float8 included
bool is_complex(ScalarType type);

}  // namespace ptec
