#include "tests/runtime/fixture_case.h"

#include <simdjson.h>

#include <stdexcept>

#include "support/input_file.h"

namespace ptec::test {
namespace {

using simdjson::dom::element;
using simdjson::dom::object;

template <typename T>
void append(std::vector<std::byte>& bytes, T number) {
  const auto* begin = static_cast<const std::byte*>(static_cast<const void*>(&number));
  bytes.insert(bytes.end(), begin, begin + sizeof(T));
}

std::vector<std::byte> bytes_of(const simdjson::dom::array& numbers, std::string_view dtype) {
  std::vector<std::byte> out;
  for (const element number : numbers) {
    if (dtype == "float32") {
      append(out, static_cast<float>(double(number)));
    } else if (dtype == "int64") {
      append(out, std::int64_t(number));
    } else {
      throw std::runtime_error("a fixture has numbers of a dtype that are not read");
    }
  }
  return out;
}

/// The bytes are contiguous in the order of `dim_order`; arrays are so in that of their sizes.
run::Array array_of(const object& leaf, const std::filesystem::path& folder) {
  run::Array out;
  out.dtype = run::find_dtype_by_name(std::string_view(leaf["dtype"]));
  if (out.dtype == nullptr) throw std::runtime_error("unknown dtype in a fixture");
  for (const element size : leaf["shape"].get_array()) out.shape.push_back(std::int64_t(size));
  simdjson::dom::array numbers;
  if (leaf["values"].get(numbers) == simdjson::SUCCESS) {
    out.bytes = bytes_of(numbers, std::string_view(leaf["dtype"]));
    return out;
  }
  const InputFile file =
      InputFile::open((folder / std::string(std::string_view(leaf["file"]))).string());
  out.bytes = file.read_range(0, file.size_bytes(), file.size_bytes(), "fixture");
  return out;
}

run::Input input_of(const object& leaf, const std::filesystem::path& folder) {
  element value;
  if (leaf["value"].get(value) != simdjson::SUCCESS) return array_of(leaf, folder);
  switch (value.type()) {
    case simdjson::dom::element_type::INT64:
      return std::int64_t(value);
    case simdjson::dom::element_type::DOUBLE:
      return double(value);
    case simdjson::dom::element_type::BOOL:
      return bool(value);
    default:
      return std::monostate{};
  }
}

std::vector<run::Input> leaves_of(const object& side, const std::filesystem::path& folder) {
  std::vector<run::Input> out;
  for (const element leaf : side["leaves"].get_array()) out.push_back(input_of(leaf, folder));
  return out;
}

}  // namespace

std::vector<ExpectedCall> read_calls(const std::filesystem::path& json) {
  simdjson::dom::parser parser;
  const element root = parser.load(json.string());
  std::vector<ExpectedCall> out;
  for (const auto method : root["methods"].get_object()) {
    for (const element call : method.value["calls"].get_array()) {
      ExpectedCall expected;
      expected.method = std::string(method.key);
      expected.inputs = leaves_of(call["inputs"], json.parent_path());
      expected.outputs = leaves_of(call["outputs"], json.parent_path());
      out.push_back(std::move(expected));
    }
  }
  return out;
}

}  // namespace ptec::test
