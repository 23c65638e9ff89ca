// Cases in a zip: an archive each, inputs and eager PyTorch's outputs, what the reference made of
// it. tools/make_operator_cases.py writes them and says how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/runtime/check_loads.h"

namespace ptec::test {

/// The reference exporter's file.
struct Reference {
  std::uint64_t size_bytes = 0;
  std::uint32_t crc32 = 0;
};

struct Case {
  std::vector<std::byte> archive;
  std::vector<ExpectedCall> calls;  // none where engines keep it from being run
  std::optional<Reference> reference;
};

/// By name, in order. `zip` is the name of a fixture.
std::map<std::string, Case> read_case_zip(const std::string& zip);

void write_bytes(const std::string& path, const std::vector<std::byte>& bytes);

/// Adds a failure unless the file at `path` has the size and checksum.
void expect_bytes_of(const Reference& reference, const std::string& path);

}  // namespace ptec::test
