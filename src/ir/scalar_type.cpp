#include "ir/scalar_type.h"

#include <array>

namespace ptec {
namespace {

constexpr std::array kTypes = {
#define PTEC_SCALAR_TYPE(id, name, text, pt2, pte, bytes) \
  ScalarTypeInfo{ScalarType::id, name, text, pt2, pte, bytes},
#include "ir/scalar_type.def"
#undef PTEC_SCALAR_TYPE
};

template <typename Matches>
std::optional<ScalarType> find(Matches matches) {
  for (const ScalarTypeInfo& row : kTypes) {
    if (matches(row)) return row.id;
  }
  return std::nullopt;
}

}  // namespace

const ScalarTypeInfo& info(ScalarType type) { return kTypes[static_cast<std::size_t>(type)]; }

std::optional<ScalarType> find_scalar_type_by_pt2_code(std::int64_t code) {
  return find([code](const ScalarTypeInfo& row) { return row.pt2_code == code; });
}

std::optional<ScalarType> find_scalar_type_by_pte_code(std::int64_t code) {
  return find([code](const ScalarTypeInfo& row) { return row.pte_code == code && code >= 0; });
}

std::optional<ScalarType> find_scalar_type_by_text(std::string_view text) {
  return find([text](const ScalarTypeInfo& row) { return row.text == text; });
}

bool is_floating(ScalarType type) {
  const std::string_view name = info(type).name;
  return name.starts_with("float") || name == "bfloat16";
}

bool is_complex(ScalarType type) { return info(type).name.starts_with("complex"); }

}  // namespace ptec
