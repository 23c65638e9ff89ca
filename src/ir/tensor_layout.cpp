#include "ir/tensor_layout.h"

#include <algorithm>

#include "sym/expr_make.h"

namespace ptec {
namespace {

/// An unsigned number that remembers when it passed 64 bits.
struct Counter {
  std::uint64_t value = 0;
  bool fits = true;

  void add(const Counter& other) {
    fits = !__builtin_add_overflow(value, other.value, &value) && fits && other.fits;
  }
  void multiply(std::uint64_t factor) {
    fits = !__builtin_mul_overflow(value, factor, &value) && fits;
  }
  std::optional<std::uint64_t> result() const {
    return fits ? std::optional<std::uint64_t>(value) : std::nullopt;
  }
};

std::uint64_t number(const Dim& dim) { return static_cast<std::uint64_t>(dim.number()); }

ExprId expr_of(ExprPool& exprs, const Dim& dim) {
  return dim.is_number() ? exprs.integer(dim.number()) : dim.expr();
}

std::optional<Dim> product(ExprPool& exprs, const Dim& stride, const Dim& size) {
  if (stride.is_number() && size.is_number()) {
    std::int64_t out = 0;
    const std::int64_t factor = std::max<std::int64_t>(size.number(), 1);
    if (__builtin_mul_overflow(stride.number(), factor, &out)) return std::nullopt;
    return Dim(out);
  }
  return make_dim(exprs,
                  make_expr(exprs, ExprOp::Mul, {expr_of(exprs, stride), expr_of(exprs, size)}));
}

}  // namespace

std::optional<std::vector<Dim>> contiguous_strides(ExprPool& exprs, const std::vector<Dim>& sizes) {
  std::vector<Dim> out(sizes.size());
  Dim stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    out[i] = stride;
    if (i == 0) break;
    const std::optional<Dim> next = product(exprs, stride, sizes[i]);
    if (!next) return std::nullopt;
    stride = *next;
  }
  return out;
}

Extent extent_of(const TensorMeta& meta) {
  const auto item_bytes = static_cast<std::uint64_t>(info(meta.dtype).size_bytes);
  Counter end{number(meta.storage_offset)};  // elements up to the last one
  Counter packed{1};
  for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
    const std::uint64_t size = number(meta.sizes[i]);
    if (size == 0) return {true, 0, 0};
    Counter step{size - 1};
    step.multiply(number(meta.strides[i]));
    end.add(step);
    packed.multiply(size);
  }
  end.add(Counter{1});
  end.multiply(item_bytes);
  packed.multiply(item_bytes);
  return {false, end.result(), packed.result()};
}

}  // namespace ptec
