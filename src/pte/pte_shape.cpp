#include "pte/pte_shape.h"

#include <fmt/format.h>

#include <limits>

#include "support/bytes.h"
#include "support/error.h"
#include "support/limits.h"

namespace ptec::inspect {
namespace {

void check_dim_order(std::span<const std::uint8_t> dim_order,
                     std::size_t rank,
                     std::string_view what) {
  if (dim_order.size() != rank) {
    fail(ErrorCode::Malformed,
         fmt::format("{}: dim_order has {} entries for {} sizes", what, dim_order.size(), rank));
  }
  std::uint32_t seen = 0;
  for (const std::uint8_t dim : dim_order) {
    if (dim >= rank || ((seen >> dim) & 1u) != 0) {
      fail(ErrorCode::Malformed,
           fmt::format("{}: dim_order is no permutation: {} is repeated or too large", what, dim));
    }
    seen |= 1u << dim;
  }
}

}  // namespace

std::uint64_t checked_size_bytes(const PteDtype& dtype,
                                 std::span<const std::int32_t> sizes,
                                 std::span<const std::uint8_t> dim_order,
                                 std::string_view what) {
  if (sizes.size() > kMaxPteRank) {
    fail(ErrorCode::Malformed,
         fmt::format("{}: rank is {}, wanted at most {}", what, sizes.size(), kMaxPteRank));
  }
  check_dim_order(dim_order, sizes.size(), what);
  std::uint64_t size = dtype.element_size_bytes;
  for (const std::int32_t dim : sizes) {
    if (dim < 0) fail(ErrorCode::Malformed, fmt::format("{}: a size is {}", what, dim));
    const auto product = checked_mul(size, static_cast<std::uint64_t>(dim));
    if (!product ||
        *product > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      fail(ErrorCode::Malformed,
           fmt::format("{}: the product of its sizes passes 2^63 bytes", what));
    }
    size = *product;
  }
  return size;
}

}  // namespace ptec::inspect
