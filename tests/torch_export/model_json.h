// The JSON of a fixture's program, to be changed by tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "archive/pt2.h"
#include "support/bytes.h"
#include "support/limits.h"
#include "tests/support/shared_dir.h"

namespace ptec::test {

inline std::string model_json(const std::string& fixture) {
  const archive::Pt2Archive archive = archive::Pt2Archive::open(fixture_path(fixture).string());
  return std::string(as_text(archive.read_member("models/model.json", kMaxJsonBytes)));
}

/// `text` with the first `from` replaced, which must be there.
inline std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t found = text.find(from);
  EXPECT_NE(found, std::string::npos) << "the fixture has no " << from;
  if (found != std::string::npos) text.replace(found, from.size(), to);
  return text;
}

}  // namespace ptec::test
