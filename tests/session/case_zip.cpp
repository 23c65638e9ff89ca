#include "tests/session/case_zip.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "archive/zip.h"
#include "support/crc32.h"
#include "support/input_file.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

std::byte byte_of(const std::string& digits) {
  return static_cast<std::byte>(std::stoi(digits, nullptr, 16));
}

run::Array parse_array(std::istringstream& words) {
  std::string dtype;
  std::string sizes;
  std::string data;
  words >> dtype >> sizes >> data;
  run::Array out;
  out.dtype = run::find_dtype_by_name(dtype);
  EXPECT_NE(out.dtype, nullptr) << dtype;
  std::istringstream numbers(sizes.substr(1, sizes.size() - 2));
  for (std::string number; std::getline(numbers, number, ',');)
    out.shape.push_back(std::stoll(number));
  for (std::size_t i = 0; i + 1 < data.size(); i += 2)
    out.bytes.push_back(byte_of(data.substr(i, 2)));
  return out;
}

void parse_text(const std::string& text, Case& out) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "reference") {
      Reference reference;
      words >> reference.size_bytes >> reference.crc32;
      out.reference = reference;
      continue;
    }
    std::size_t call = 0;
    std::size_t index = 0;
    words >> call >> index;
    if (out.calls.size() <= call) out.calls.resize(call + 1);
    (kind == "input" ? out.calls[call].inputs : out.calls[call].outputs)
        .push_back(parse_array(words));
  }
}

}  // namespace

std::map<std::string, Case> read_case_zip(const std::string& zip) {
  const InputFile file = InputFile::open(fixture_path(zip).string());
  std::map<std::string, Case> out;
  for (const archive::ZipEntry& entry : archive::read_zip_directory(file, 0, file.size_bytes())) {
    std::vector<std::byte> bytes = archive::read_zip_entry(file, entry, 1u << 24, true);
    const std::string name = entry.record.name;
    Case& value = out[name.substr(0, name.find('.'))];
    if (name.ends_with(".pt2")) {
      value.archive = std::move(bytes);
    } else {
      std::string text;
      for (const std::byte byte : bytes) text.push_back(static_cast<char>(byte));
      parse_text(text, value);
    }
  }
  return out;
}

void write_bytes(const std::string& path, const std::vector<std::byte>& bytes) {
  std::ofstream file(path, std::ios::binary);
  for (const std::byte byte : bytes) file.put(static_cast<char>(byte));
}

void expect_bytes_of(const Reference& reference, const std::string& path) {
  const InputFile file = InputFile::open(path);
  ASSERT_EQ(file.size_bytes(), reference.size_bytes);
  const std::vector<std::byte> bytes =
      file.read_range(0, file.size_bytes(), file.size_bytes(), "exported program");
  EXPECT_EQ(crc32(0, bytes), reference.crc32);
}

}  // namespace ptec::test
