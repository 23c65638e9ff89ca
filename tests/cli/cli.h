// Runs the built `ptec`.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/process.h"

namespace ptec::test {

inline ProcessResult run_ptec(std::vector<std::string> arguments,
                              const ProcessOptions& options = {}) {
  arguments.insert(arguments.begin(), PTEC_BINARY);
  return run_process(arguments, options);
}

inline ProcessResult run_export(const std::string& input,
                                const std::string& output,
                                const ProcessOptions& options = {}) {
  return run_ptec({"export", input, "-o", output, "--quiet"}, options);
}

/// Expects an exit status and, on stderr, one line `ptec: error: ...` that has every one of
/// `words`.
inline void expect_failure(const ProcessResult& result,
                           int exit_status,
                           const std::vector<std::string>& words) {
  EXPECT_EQ(result.exit_status, exit_status) << result.errors;
  EXPECT_EQ(result.signal, 0);
  EXPECT_EQ(result.errors.rfind("ptec: error: ", 0), 0u) << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  for (const std::string& word : words) {
    EXPECT_NE(result.errors.find(word), std::string::npos)
        << "wanted '" << word << "' in: " << result.errors;
  }
  EXPECT_EQ(result.output, "");
}

/// Whether this build's memory use says nothing about a real one.
constexpr bool sanitized() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#else
  return false;
#endif
#else
  return false;
#endif
}

}  // namespace ptec::test
