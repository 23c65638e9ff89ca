#include "array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "half.h"
#include "support/bytes.h"
#include "support/error.h"

namespace ptec::run {
namespace {

template <typename T>
T load(const std::byte* at) {
  T out{};
  std::memcpy(&out, at, sizeof(T));
  return out;
}

Number signed_number(std::int64_t value) { return {Number::Kind::Signed, value, 0, 0, 0, false}; }
Number unsigned_number(std::uint64_t value) {
  return {Number::Kind::Unsigned, 0, value, 0, 0, false};
}
Number real_number(double value, bool single) {
  return {Number::Kind::Real, 0, 0, value, 0, single};
}

/// The bytes of 1 in a type, or nothing when it has no numbers.
std::vector<std::byte> one_of(std::string_view dtype) {
  const auto pack = [](auto value) {
    std::vector<std::byte> out(sizeof(value));
    std::memcpy(out.data(), &value, sizeof(value));
    return out;
  };
  if (dtype == "uint8" || dtype == "int8" || dtype == "bool") return pack(std::uint8_t{1});
  if (dtype == "int16" || dtype == "uint16") return pack(std::uint16_t{1});
  if (dtype == "int32" || dtype == "uint32") return pack(std::uint32_t{1});
  if (dtype == "int64" || dtype == "uint64") return pack(std::uint64_t{1});
  if (dtype == "float16") return pack(std::uint16_t{0x3C00});
  if (dtype == "bfloat16") return pack(std::uint16_t{0x3F80});
  if (dtype == "float32") return pack(1.0F);
  if (dtype == "float64") return pack(1.0);
  if (dtype == "complex64") return pack(std::uint64_t{0x3F800000});  // real part first
  return {};
}

}  // namespace

const inspect::PteDtype* find_dtype_by_name(std::string_view name) {
  for (int code = 0; const inspect::PteDtype* dtype = inspect::find_pte_dtype(code); ++code) {
    if (dtype->name == name) return dtype;
  }
  return nullptr;
}

std::vector<std::string_view> fillable_dtype_names() {
  std::vector<std::string_view> out;
  for (int code = 0; const inspect::PteDtype* dtype = inspect::find_pte_dtype(code); ++code) {
    if (!one_of(dtype->name).empty()) out.push_back(dtype->name);
  }
  return out;
}

std::uint64_t element_count(const std::vector<std::int64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::int64_t size : shape) {
    if (size < 0)
      fail(ErrorCode::Malformed,
           fmt::format("shape [{}] has a negative size", fmt::join(shape, ", ")));
    const auto product = checked_mul(count, static_cast<std::uint64_t>(size));
    if (!product || *product > kMaxArrayBytes) {
      fail(ErrorCode::Limit,
           fmt::format(
               "shape [{}] has more than {} elements", fmt::join(shape, ", "), kMaxArrayBytes));
    }
    count = *product;
  }
  return count;
}

std::string array_type_text(const inspect::PteDtype& dtype,
                            const std::vector<std::int64_t>& shape) {
  return fmt::format("{}[{}]", dtype.name, fmt::join(shape, ", "));
}

Array filled_array(const inspect::PteDtype& dtype, std::vector<std::int64_t> shape, int number) {
  const std::uint64_t count = element_count(shape);
  Array out{&dtype, std::move(shape), {}};
  const std::vector<std::byte> one = one_of(dtype.name);
  if (number != 0 && one.empty())
    fail(ErrorCode::Unsupported, fmt::format("cannot make ones of type {}", dtype.name));
  out.bytes.resize(count * dtype.element_size_bytes);
  if (number == 0) return out;
  for (std::size_t i = 0; i < out.bytes.size(); i += one.size())
    std::memcpy(out.bytes.data() + i, one.data(), one.size());
  return out;
}

Number element_at(const Array& array, std::size_t index) {
  const std::byte* const at = array.bytes.data() + index * array.dtype->element_size_bytes;
  switch (array.dtype->code) {
    case 0:
      return unsigned_number(load<std::uint8_t>(at));
    case 1:
      return signed_number(load<std::int8_t>(at));
    case 2:
      return signed_number(load<std::int16_t>(at));
    case 3:
      return signed_number(load<std::int32_t>(at));
    case 4:
      return signed_number(load<std::int64_t>(at));
    case 5:
      return real_number(half_to_float(load<std::uint16_t>(at)), true);
    case 6:
      return real_number(load<float>(at), true);
    case 7:
      return real_number(load<double>(at), false);
    case 9:
      return {Number::Kind::Complex, 0, 0, load<float>(at), load<float>(at + 4), true};
    case 10:
      return {Number::Kind::Complex, 0, 0, load<double>(at), load<double>(at + 8), false};
    case 11:
      return {Number::Kind::Bool, load<std::uint8_t>(at) != 0 ? 1 : 0, 0, 0, 0, false};
    case 15:
      return real_number(bfloat16_to_float(load<std::uint16_t>(at)), true);
    case 27:
      return unsigned_number(load<std::uint16_t>(at));
    case 28:
      return unsigned_number(load<std::uint32_t>(at));
    case 29:
      return unsigned_number(load<std::uint64_t>(at));
    default:
      break;
  }
  Number out;  // no numbers, or none that we know: show the bits
  for (std::size_t i = 0; i < array.dtype->element_size_bytes && i < 8; ++i) {
    out.whole |= std::to_integer<std::uint64_t>(at[i]) << (8 * i);
  }
  return out;
}

}  // namespace ptec::run
