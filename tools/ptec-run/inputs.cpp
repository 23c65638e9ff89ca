#include "inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <filesystem>

#include "npy.h"
#include "support/error.h"
#include "support/printable.h"

namespace ptec::run {
namespace {

using inspect::PteTensor;
using inspect::PteValue;

std::vector<std::int64_t> shape_of(const PteTensor& tensor) {
  return {tensor.sizes.begin(), tensor.sizes.end()};
}

std::vector<std::int64_t> parse_shape(std::string_view text) {
  std::vector<std::int64_t> out;
  if (text == "scalar") return out;
  while (true) {
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc() || size < 0) {
      fail(ErrorCode::InvalidArgument, fmt::format("shape '{}' is not like 2x3", printable(text)));
    }
    out.push_back(size);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return out;
    if (text.front() != 'x')
      fail(ErrorCode::InvalidArgument,
           fmt::format("shape goes on with '{}', wanted 'x'", printable(text)));
    text.remove_prefix(1);
  }
}

/// `ones:2x3:int64`: what stands behind the first colon.
Array parse_filled(std::string_view text, int number, const PteTensor& tensor) {
  const std::size_t colon = text.find(':');
  const std::string_view shape = text.substr(0, colon);
  const std::string_view name =
      colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  const inspect::PteDtype* dtype = name.empty() ? tensor.dtype : find_dtype_by_name(name);
  if (dtype == nullptr)
    fail(ErrorCode::InvalidArgument,
         fmt::format("there is no element type '{}', only {}",
                     printable(name),
                     fmt::join(fillable_dtype_names(), ", ")));
  return filled_array(*dtype, shape.empty() ? shape_of(tensor) : parse_shape(shape), number);
}

Array parse_array(const std::string& text, const PteTensor& tensor) {
  if (text == "ones") return parse_filled("", 1, tensor);
  if (text == "zeros") return parse_filled("", 0, tensor);
  constexpr std::string_view kOnes = "ones:";
  constexpr std::string_view kZeros = "zeros:";
  if (text == "default") return filled_array(*tensor.dtype, shape_of(tensor), 1);
  if (text.starts_with(kOnes))
    return parse_filled(std::string_view(text).substr(kOnes.size()), 1, tensor);
  if (text.starts_with(kZeros))
    return parse_filled(std::string_view(text).substr(kZeros.size()), 0, tensor);
  // A slip in the words above would otherwise be reported as a file that is not there.
  if (!text.ends_with(".npy") && !std::filesystem::exists(text)) {
    fail(ErrorCode::InvalidArgument,
         fmt::format("'{}' is no file; wanted a .npy file, ones:2x3:float32, zeros:2x3:float32 "
                     "(shape and type may be left out), or default",
                     printable(text)));
  }
  return read_npy(InputFile::open(text), tensor.dtype);
}

void check_array(const Array& array, const PteTensor& tensor) {
  const auto mismatch = [&](std::string_view what) {
    fail(ErrorCode::InvalidArgument,
         fmt::format("{}: wanted {}, found {}",
                     what,
                     wanted_text(tensor),
                     array_type_text(*array.dtype, array.shape)));
  };
  if (array.dtype != tensor.dtype) mismatch("wrong dtype");
  if (array.shape.size() != tensor.sizes.size()) mismatch("wrong rank");
  const std::vector<std::int64_t> own = shape_of(tensor);
  // The runtime bounds the number of elements of a dynamic tensor, not each size.
  if (tensor.dynamic ? element_count(array.shape) > element_count(own) : array.shape != own)
    mismatch("wrong shape");
}

Input recorded(const PteValue& value) {
  if (const auto* tensor = std::get_if<PteTensor>(&value))
    return filled_array(*tensor->dtype, shape_of(*tensor), 1);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (std::holds_alternative<inspect::PteNull>(value)) return std::monostate{};
  fail(ErrorCode::Unsupported,
       fmt::format("it is a {}, which methods cannot take", inspect::value_kind_name(value)));
}

Input parse_scalar(const std::string& text, const PteValue& value) {
  const Input own = recorded(value);
  const std::string wanted = wanted_text(value);
  bool same = text == "default";
  if (const auto* flag = std::get_if<bool>(&own)) same = same || text == (*flag ? "true" : "false");
  const char* const end = text.data() + text.size();
  if (const auto* number = std::get_if<std::int64_t>(&own)) {
    std::int64_t given = 0;
    const auto result = std::from_chars(text.data(), end, given);
    same = same || (result.ec == std::errc() && result.ptr == end && given == *number);
  }
  if (const auto* number = std::get_if<double>(&own)) {
    double given = 0;
    const auto result = std::from_chars(text.data(), end, given);
    // The runtime's own tolerance.
    same = same || (result.ec == std::errc() && result.ptr == end &&
                    std::abs(given - *number) <= 1e-4 + 1e-5 * std::abs(*number));
  }
  if (!same) {
    fail(ErrorCode::InvalidArgument,
         fmt::format(
             "wanted {}, which the program was traced with, found '{}'", wanted, printable(text)));
  }
  return own;
}

}  // namespace

std::string wanted_text(const PteValue& value) {
  if (const auto* tensor = std::get_if<PteTensor>(&value)) {
    return fmt::format("{}{}",
                       array_type_text(*tensor->dtype, shape_of(*tensor)),
                       tensor->dynamic ? " or less" : "");
  }
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("int {}", *number);
  if (const auto* flag = std::get_if<bool>(&value)) return fmt::format("bool {}", *flag);
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("float {}", *number);
  return std::string(inspect::value_kind_name(value));
}

std::vector<Input> make_inputs(const inspect::PtePlan& plan,
                               const std::vector<std::string>& texts) {
  if (!texts.empty() && texts.size() != plan.inputs.size()) {
    std::string wanted;
    for (const std::uint32_t index : plan.inputs) {
      wanted += (wanted.empty() ? ": " : ", ") + wanted_text(plan.values[index]);
    }
    fail(ErrorCode::InvalidArgument,
         fmt::format("method '{}' has {} inputs{}; found {}",
                     plan.name,
                     plan.inputs.size(),
                     wanted,
                     texts.size()));
  }
  std::vector<Input> out;
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    const std::string label = fmt::format("{}", i);
    const Breadcrumb method("method", plan.name);
    const Breadcrumb here("input", label);
    const PteValue& value = plan.values[plan.inputs[i]];
    const auto* tensor = std::get_if<PteTensor>(&value);
    if (texts.empty()) {
      out.push_back(recorded(value));
    } else if (tensor == nullptr) {
      out.push_back(parse_scalar(texts[i], value));
    } else {
      Array array = parse_array(texts[i], *tensor);
      check_array(array, *tensor);
      out.push_back(std::move(array));
    }
  }
  return out;
}

}  // namespace ptec::run
