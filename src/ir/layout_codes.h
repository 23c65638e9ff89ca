// Names of layouts and memory formats.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/program.h"

namespace ptec {

inline constexpr LayoutCode kStrided{7};

/// Nothing for a number that torch.export does not use.
std::optional<std::string_view> find_layout_name(std::int64_t code);
std::optional<std::string_view> find_memory_format_name(std::int64_t code);
std::optional<LayoutCode> find_layout(std::string_view name);
std::optional<MemoryFormatCode> find_memory_format(std::string_view name);

}  // namespace ptec
