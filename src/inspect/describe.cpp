#include "inspect/describe.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "support/printable.h"

namespace ptec::inspect {
namespace {

template <typename Items, typename Each>
std::string joined(const Items& items, const Each& each) {
  std::string out;
  for (const auto& item : items) {
    if (!out.empty()) out += ", ";
    out += each(item);
  }
  return out;
}

std::string index_list(const auto& values) {
  return "[" +
         joined(values,
                [](auto value) {
                  return value < 0 ? std::string("none") : fmt::format("%{}", value);
                }) +
         "]";
}

}  // namespace

std::string size_text(std::uint64_t size_bytes) {
  static constexpr std::array<std::string_view, 4> kUnits = {"KiB", "MiB", "GiB", "TiB"};
  if (size_bytes < 1024) return fmt::format("{} bytes", size_bytes);
  double value = static_cast<double>(size_bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {} ({} bytes)", value, kUnits[unit], size_bytes);
}

std::string names_text(const std::vector<std::string>& names) {
  if (names.empty()) return "none";
  return joined(names, [](const std::string& name) { return printable(name); });
}

std::string device_text(const PteDevice& device) {
  return device.cuda ? fmt::format("cuda:{}", device.index) : "cpu";
}

std::string tensor_text(const PteTensor& tensor) {
  const std::string sizes = fmt::format("{}", fmt::join(tensor.sizes, ", "));
  // A bound holds for the number of elements, so it is said once, not for each size.
  return fmt::format("{}[{}{}]", tensor.dtype->name, tensor.dynamic ? "at most " : "", sizes);
}

std::string layout_text(const PtdLayout& layout) {
  return fmt::format("{}[{}]", layout.dtype->name, fmt::join(layout.sizes, ", "));
}

std::string regions_text(const std::vector<PteRegion>& regions) {
  std::string text = fmt::format("{:>14} {:>14}  what\n", "offset", "bytes");
  for (const PteRegion& region : regions) {
    text += fmt::format(
        "{:>14} {:>14}  {}\n", region.range.offset_bytes, region.range.size_bytes, region.what);
  }
  return text;
}

std::string value_text(const PteValue& value) {
  if (const auto* tensor = std::get_if<PteTensor>(&value)) return tensor_text(*tensor);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::format("int {}", *number);
  if (const auto* flag = std::get_if<bool>(&value)) return fmt::format("bool {}", *flag);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("double {}", *real);
  if (const auto* text = std::get_if<std::string>(&value))
    return fmt::format("string '{}'", printable(*text));
  if (const auto* list = std::get_if<PteIntList>(&value)) return "ints " + index_list(list->values);
  if (const auto* list = std::get_if<PteDoubleList>(&value))
    return fmt::format("doubles [{}]", fmt::join(list->items, ", "));
  if (const auto* list = std::get_if<PteBoolList>(&value)) {
    return "bools [" +
           joined(list->items, [](bool item) { return std::string(item ? "true" : "false"); }) +
           "]";
  }
  if (const auto* list = std::get_if<PteTensorList>(&value))
    return "tensors " + index_list(list->values);
  if (const auto* list = std::get_if<PteOptionalTensorList>(&value))
    return "tensors " + index_list(list->values);
  return "null";
}

std::string tensor_text(const Program& program, const TensorMeta& meta) {
  std::string out(info(meta.dtype).name);
  out += "[" + joined(meta.sizes, [&program](const Dim& dim) { return program.exprs.print(dim); }) +
         "]";
  if (meta.device.type != "cpu") {
    out += ", " + printable(meta.device.type);
    if (meta.device.index) out += fmt::format(":{}", *meta.device.index);
  }
  return out;
}

std::string range_text(const Range& range) {
  return fmt::format("{}..{}",
                     range.min ? fmt::format("{}", *range.min) : "",
                     range.max ? fmt::format("{}", *range.max) : "");
}

}  // namespace ptec::inspect
