// Programs of one operator each, and a few small models, from real torch.export archives: exported,
// compared with the reference's bytes, and run in the unmodified ExecuTorch runtime against what
// eager PyTorch gave. tools/make_operator_cases.py says what is in operators.zip.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "archive/zip.h"
#include "ptec/export.h"
#include "support/crc32.h"
#include "support/error.h"
#include "support/input_file.h"
#include "tests/runtime/check_loads.h"
#include "tests/session/operators_known.h"
#include "tests/support/scratch.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {
namespace {

struct Reference {
  std::uint64_t size_bytes = 0;
  std::uint32_t crc32 = 0;
};

struct Case {
  std::vector<std::byte> archive;
  std::vector<ExpectedCall> calls;
  std::optional<Reference> reference;  // the reference exporter's file
};

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

/// By name, in order.
std::map<std::string, Case> read_cases() {
  const InputFile file = InputFile::open(fixture_path("operators.zip").string());
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

const std::map<std::string, Case>& cases() {
  static const std::map<std::string, Case> all = read_cases();
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& [name, value] : cases()) out.push_back(name);
  return out;
}

void write(const std::string& path, const std::vector<std::byte>& bytes) {
  std::ofstream file(path, std::ios::binary);
  for (const std::byte byte : bytes) file.put(static_cast<char>(byte));
}

class Operators : public testing::TestWithParam<std::string> {
 protected:
  const Case& value() const { return cases().at(GetParam()); }
  /// Where the program was exported to.
  std::string exported() const {
    write(scratch_.file("in.pt2"), value().archive);
    export_file(scratch_.file("in.pt2"), scratch_.file("out.pte"));
    return scratch_.file("out.pte");
  }

 private:
  ScratchFolder scratch_;
};

TEST_P(Operators, ComputesInTheRuntimeWhatEagerPyTorchDoes) {
  if (kRefused.contains(GetParam())) {
    try {
      exported();
      FAIL() << "exported, though this was not possible";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::Unsupported);
      EXPECT_NE(std::string(error.what()).find(kRefused.at(GetParam())), std::string::npos)
          << error.what();
    }
    return;
  }
  Expectations wanted;
  wanted.delegates = 0;
  wanted.calls = value().calls;
  EXPECT_TRUE(check_loads(exported(), wanted).empty());
}

TEST_P(Operators, HasTheReferencesBytes) {
  if (!value().reference) GTEST_SKIP() << "the reference cannot export this program";
  if (kRefused.contains(GetParam())) return;
  const InputFile file = InputFile::open(exported());
  ASSERT_EQ(file.size_bytes(), value().reference->size_bytes);
  const std::vector<std::byte> bytes =
      file.read_range(0, file.size_bytes(), file.size_bytes(), "exported program");
  EXPECT_EQ(crc32(0, bytes), value().reference->crc32);
}

std::string test_name(const testing::TestParamInfo<std::string>& name) { return name.param; }

INSTANTIATE_TEST_SUITE_P(Cases, Operators, testing::ValuesIn(names()), test_name);

TEST(OperatorCases, AreAtLeastOneHundredAndFiftyThatRun) {
  EXPECT_GE(cases().size(), kRefused.size() + 150);
  for (const auto& [name, value] : cases()) EXPECT_GE(value.calls.size(), 3u) << name;
}

}  // namespace
}  // namespace ptec::test
