// What .pte and .ptd files say of a tensor's shape.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pte/pte_dtype.h"

namespace ptec::inspect {

/// Bytes that a tensor has. Throws Malformed, naming `what`, for a rank over kMaxPteRank, a
/// negative size, a dim order that is no permutation of as many dims, and a product of 2^63 and
/// more: the runtime counts in signed 64 bits.
std::uint64_t checked_size_bytes(const PteDtype& dtype,
                                 std::span<const std::int32_t> sizes,
                                 std::span<const std::uint8_t> dim_order,
                                 std::string_view what);

}  // namespace ptec::inspect
