#include "pte/pte_dtype.h"

#include <array>
#include <cstddef>

namespace ptec::inspect {
namespace {

constexpr std::array kDtypes = {
#define PTEC_PTE_DTYPE(code, name, bytes) PteDtype{code, name, bytes},
#include "pte/pte_dtype.def"
#undef PTEC_PTE_DTYPE
};

constexpr bool codes_are_indices() {
  for (std::size_t i = 0; i < kDtypes.size(); ++i) {
    if (kDtypes[i].code != static_cast<int>(i)) return false;
  }
  return true;
}
static_assert(codes_are_indices(), "the table is looked up by index");

}  // namespace

const PteDtype* find_pte_dtype(int code) {
  if (code < 0 || static_cast<std::size_t>(code) >= kDtypes.size()) return nullptr;
  return &kDtypes[static_cast<std::size_t>(code)];
}

}  // namespace ptec::inspect
