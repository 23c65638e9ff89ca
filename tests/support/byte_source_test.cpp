#include "support/byte_source.h"

#include <gtest/gtest.h>

#include <string>

#include "support/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/scratch.h"
#include "tests/support/zip_builder.h"

namespace ptec {
namespace {

using test::bytes_of;
using test::fails_with;

std::string read_text(const ByteSource& source, std::uint64_t offset, std::size_t size) {
  std::vector<std::byte> out(size);
  source.read_at(offset, out);
  return std::string(as_text(out));
}

TEST(ByteSource, ReadsByPositionWhateverItIs) {
  const test::ScratchFolder folder;
  test::write_file(folder.file("f"), "0123456789");
  const std::string lent = "0123456789";
  const ByteSource::Handle sources[] = {ByteSource::of_file(InputFile::open(folder.file("f"))),
                                        ByteSource::of_bytes(bytes_of("0123456789")),
                                        ByteSource::of_foreign(as_bytes(lent), {})};
  for (const ByteSource::Handle& source : sources) {
    EXPECT_EQ(read_text(*source, 3, 4), "3456");
    EXPECT_EQ(read_text(*source, 10, 0), "");
    EXPECT_TRUE(fails_with(ErrorCode::Malformed, "3 bytes at ", [&] { read_text(*source, 8, 3); }));
    EXPECT_TRUE(fails_with(
        ErrorCode::Malformed, "2 bytes at ", [&] { read_text(*source, ~std::uint64_t{0}, 2); }));
  }
  EXPECT_NE(sources[0]->file(), nullptr);
  EXPECT_TRUE(sources[0]->memory().empty());
  EXPECT_EQ(sources[1]->file(), nullptr);
  EXPECT_EQ(as_text(sources[1]->memory()), "0123456789");
  EXPECT_EQ(sources[2]->memory().data(), as_bytes(lent).data());
}

TEST(ByteSource, GivesBorrowedMemoryBackOnceAndLast) {
  int released = 0;
  ByteSource::Handle first = ByteSource::of_foreign({}, [&] { ++released; });
  ByteSource::Handle second = first;
  first.reset();
  EXPECT_EQ(released, 0);
  second.reset();
  EXPECT_EQ(released, 1);
}

}  // namespace
}  // namespace ptec
