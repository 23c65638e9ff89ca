#include "support/error.h"

#include <gtest/gtest.h>

#include <string>

namespace ptec {
namespace {

std::string message_of(ErrorCode code, std::string_view message) {
  try {
    fail(code, message);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
}

TEST(Breadcrumb, NamesWhatIsOpenOutermostFirst) {
  const Breadcrumb archive("archive", "model.pt2");
  {
    const Breadcrumb node("node", "add");
    EXPECT_EQ(message_of(ErrorCode::Malformed, "is wrong"),
              "archive 'model.pt2': node 'add': is wrong");
  }
  EXPECT_EQ(message_of(ErrorCode::Io, "is wrong"), "archive 'model.pt2': is wrong");
}

TEST(Breadcrumb, KeepsAMessageOnOneLine) {
  const Breadcrumb node("node", "größe\nptec: error: forged\x7f");
  EXPECT_EQ(message_of(ErrorCode::Malformed, "is wrong"),
            "node 'größe\\x0aptec: error: forged\\x7f': is wrong");
}

// Texts of files stand behind the breadcrumbs too. 0x9B is "ESC [" to a terminal, alone and as the
// character U+009B.
TEST(Error, HasNoControlCharacters) {
  EXPECT_EQ(message_of(ErrorCode::Malformed, "field 'x\x1b[31m\nB' \x9b \xc2\x9b \xc2\xa0\xff"),
            "field 'x\\x1b[31m\\x0aB' \\x9b \\xc2\\x9b \xc2\xa0\\xff");
  const Error several(
      {problem_here(ProblemId::Malformed, "a\nb"), problem_here(ProblemId::Io, "c")});
  EXPECT_EQ(several.problems()[0].text(), "a\\x0ab");
  EXPECT_STREQ(several.what(), "a\\x0ab; c");
}

TEST(ErrorCode, HasTheDocumentedExitStatus) {
  EXPECT_EQ(error_code_exit_status(ErrorCode::InvalidArgument), 2);
  EXPECT_EQ(error_code_exit_status(ErrorCode::Io), 3);
  EXPECT_EQ(error_code_exit_status(ErrorCode::Malformed), 4);
  EXPECT_EQ(error_code_exit_status(ErrorCode::Unsupported), 5);
  EXPECT_EQ(error_code_exit_status(ErrorCode::Limit), 6);
  EXPECT_EQ(error_code_exit_status(ErrorCode::Internal), 70);
}

}  // namespace
}  // namespace ptec
