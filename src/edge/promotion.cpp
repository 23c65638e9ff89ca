#include "edge/promotion.h"

#include <algorithm>

namespace ptec::edge {
namespace {

bool is_signed_int(ScalarType type) {
  return type == ScalarType::Int8 || type == ScalarType::Int16 || type == ScalarType::Int32 ||
         type == ScalarType::Int64;
}

ScalarType wider(ScalarType a, ScalarType b) {
  return info(a).size_bytes >= info(b).size_bytes ? a : b;
}

ScalarType complex_of(ScalarType real) {
  if (real == ScalarType::Float64) return ScalarType::Complex128;
  return real == ScalarType::Float16 ? ScalarType::Complex32 : ScalarType::Complex64;
}

ScalarType promote_integers(ScalarType a, ScalarType b) {
  if (is_signed_int(a) == is_signed_int(b)) return wider(a, b);
  const ScalarType with_sign = is_signed_int(a) ? a : b;
  const ScalarType without = is_signed_int(a) ? b : a;
  if (info(with_sign).size_bytes > info(without).size_bytes) return with_sign;
  switch (info(without).size_bytes) {  // the next larger type with a sign
    case 1:
      return ScalarType::Int16;
    case 2:
      return ScalarType::Int32;
    default:
      return ScalarType::Int64;
  }
}

using Type = std::optional<ScalarType>;

Type promote(const Type& a, const Type& b) {
  if (!a) return b;
  return b ? Type(promote_types(*a, *b)) : a;
}

Type combine(const Type& higher, const Type& lower) {
  if (!higher) return lower;
  if (!lower || is_complex(*higher)) return higher;
  if (is_floating(*higher))
    return is_complex(*lower) ? promote(complex_of(*higher), lower) : higher;
  if (*higher == ScalarType::Bool || is_floating(*lower) || is_complex(*lower))
    return promote(higher, lower);
  return higher;
}

}  // namespace

ScalarType promote_types(ScalarType a, ScalarType b) {
  if (a == b) return a;
  if (a == ScalarType::Bool) return b;
  if (b == ScalarType::Bool) return a;
  if (is_complex(a) || is_complex(b)) {
    if (!is_complex(a)) a = is_floating(a) ? complex_of(a) : b;
    if (!is_complex(b)) b = is_floating(b) ? complex_of(b) : a;
    return wider(a, b);
  }
  if (!is_floating(a) && !is_floating(b)) return promote_integers(a, b);
  if (!is_floating(a)) return b;
  if (!is_floating(b)) return a;
  // Two of one width differ in what they can hold: half and bfloat16 meet in float.
  if (info(a).size_bytes == info(b).size_bytes) return ScalarType::Float32;
  return wider(a, b);
}

void ResultType::add(const TensorMeta& tensor) {
  std::optional<ScalarType>& place = tensor.sizes.empty() ? zero_dim_ : dimensioned_;
  place = promote(place, tensor.dtype);
}

void ResultType::add(ScalarKind number) {
  const ScalarType type = number == ScalarKind::Bool  ? ScalarType::Bool
                          : number == ScalarKind::Int ? ScalarType::Int64
                                                      : ScalarType::Float32;
  number_ = promote(number_, type);
}

std::optional<ScalarType> ResultType::get() const {
  return combine(dimensioned_, combine(zero_dim_, number_));
}

}  // namespace ptec::edge
