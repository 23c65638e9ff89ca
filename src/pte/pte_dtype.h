// Element types as a .pte numbers them.
#pragma once

#include <cstdint>
#include <string_view>

namespace ptec::inspect {

struct PteDtype {
  int code;
  std::string_view name;  // torch's name without "torch."
  std::uint64_t element_size_bytes;
};

/// Null for a code that no ExecuTorch release uses. Source: ExecuTorch 1.5, scalar_type.fbs and
/// scalar_type.h.
const PteDtype* find_pte_dtype(int code);

}  // namespace ptec::inspect
