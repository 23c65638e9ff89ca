#include "ir/layout_codes.h"

#include <array>

namespace ptec {
namespace {

struct Row {
  std::int64_t code;
  std::string_view name;
};

constexpr std::array kLayouts = {
#define PTEC_LAYOUT(code, name) Row{code, name},
#include "ir/layout_codes.def"
#undef PTEC_LAYOUT
};

constexpr std::array kMemoryFormats = {
#define PTEC_MEMORY_FORMAT(code, name) Row{code, name},
#include "ir/layout_codes.def"
#undef PTEC_MEMORY_FORMAT
};

template <typename Rows>
std::optional<std::string_view> name_of(const Rows& rows, std::int64_t code) {
  for (const Row& row : rows) {
    if (row.code == code) return row.name;
  }
  return std::nullopt;
}

template <typename Code, typename Rows>
std::optional<Code> code_of(const Rows& rows, std::string_view name) {
  for (const Row& row : rows) {
    if (row.name == name) return Code{row.code};
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> find_layout_name(std::int64_t code) {
  return name_of(kLayouts, code);
}
std::optional<std::string_view> find_memory_format_name(std::int64_t code) {
  return name_of(kMemoryFormats, code);
}
std::optional<LayoutCode> find_layout(std::string_view name) {
  return code_of<LayoutCode>(kLayouts, name);
}
std::optional<MemoryFormatCode> find_memory_format(std::string_view name) {
  return code_of<MemoryFormatCode>(kMemoryFormats, name);
}

}  // namespace ptec
