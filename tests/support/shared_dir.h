// Where tests find real files: the repository's fixtures, and more of them when a folder is
// configured.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace ptec::test {

/// A file of tests/fixtures. It need not exist: a test that opens it says so.
inline std::filesystem::path fixture_path(const std::string& name) {
  return std::filesystem::path(PTEC_FIXTURES_DIR) / name;
}

/// The folder named by PTEC_SHARED_DIR at configure time, or nothing when it is unset or gone.
inline std::optional<std::filesystem::path> find_shared_dir() {
  const std::string name = PTEC_SHARED_DIR;
  std::error_code ignored;
  if (name.empty() || !std::filesystem::is_directory(name, ignored)) return std::nullopt;
  return std::filesystem::path(name);
}

}  // namespace ptec::test

/// Leaves the test as skipped, with the reason, unless the folder of shared files is there. To be
/// used in the body of a test: `PTEC_REQUIRE_SHARED_DIR(shared);` declares `shared`, a path.
#define PTEC_REQUIRE_SHARED_DIR(name)                                               \
  const auto name##_found = ::ptec::test::find_shared_dir();                        \
  if (!name##_found) {                                                              \
    GTEST_SKIP() << "PTEC_SHARED_DIR names no folder: the larger fixtures are not " \
                    "part of the repository";                                       \
  }                                                                                 \
  const std::filesystem::path name = *name##_found
