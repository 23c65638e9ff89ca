// Checks that something fails with the right code and says the right thing.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ptec/error.h"

namespace ptec::test {

/// Succeeds if `call()` throws an Error of `code` whose text has `part` in it and is one line.
template <typename Call>
::testing::AssertionResult fails_with(ErrorCode code, std::string_view part, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    const std::string what = error.what();
    if (error.code() != code) {
      return ::testing::AssertionFailure() << "wanted " << error_code_name(code) << ", got "
                                           << error_code_name(error.code()) << ": " << what;
    }
    if (what.find(part) == std::string::npos) {
      return ::testing::AssertionFailure() << "no '" << part << "' in: " << what;
    }
    if (what.find('\n') != std::string::npos) {
      return ::testing::AssertionFailure() << "more than one line: " << what;
    }
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "nothing was thrown, wanted '" << part << "'";
}

}  // namespace ptec::test
