// Tables of the documents that the code has too.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "tests/support/scratch.h"

namespace ptec::test {

/// Expects `table`, whose first line is its head, in the document at `path`, up to an empty line or
/// the end. With PTEC_UPDATE_GOLDENS=1 in the environment it is written there instead.
inline void expect_table(const std::string& path, const std::string& table) {
  std::string document = read_file(path);
  const std::size_t begin = document.find(table.substr(0, table.find('\n') + 1));
  ASSERT_NE(begin, std::string::npos) << path << " has no such table";
  const std::size_t blank = document.find("\n\n", begin);
  const std::size_t end = blank == std::string::npos ? document.size() : blank + 1;
  if (std::getenv("PTEC_UPDATE_GOLDENS") != nullptr) {
    write_file(path, document.replace(begin, end - begin, table));
    return;
  }
  EXPECT_EQ(document.substr(begin, end - begin), table)
      << path << " is out of date; PTEC_UPDATE_GOLDENS=1 ctest writes it";
}

}  // namespace ptec::test
