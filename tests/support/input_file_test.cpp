#include "support/input_file.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "support/error.h"
#include "tests/support/expect_error.h"
#include "tests/support/scratch.h"
#include "tests/support/zip_builder.h"

namespace ptec {
namespace {

using test::bytes_of;
using test::fails_with;
using test::ScratchFolder;

std::string read_text(const InputFile& file, std::uint64_t offset, std::size_t size) {
  std::vector<std::byte> out(size);
  file.read_at(offset, out);
  return std::string(as_text(out));
}

TEST(InputFile, ReadsByPositionFromDiskAndMemory) {
  const ScratchFolder folder;
  const std::string path = folder.file("f");
  test::write_file(path, "0123456789");
  InputFile files[] = {InputFile::open(path), InputFile::from_bytes("m", bytes_of("0123456789"))};
  for (InputFile& file : files) {
    EXPECT_EQ(file.size_bytes(), 10u);
    EXPECT_EQ(read_text(file, 3, 4), "3456");
    EXPECT_EQ(read_text(file, 10, 0), "");
    EXPECT_EQ(file.read_range(8, 2, 2, "x"), bytes_of("89"));
    EXPECT_TRUE(fails_with(ErrorCode::Malformed, "3 bytes at byte 8 are past the end", [&] {
      read_text(file, 8, 3);
    }));
    EXPECT_TRUE(fails_with(
        ErrorCode::Malformed, "past the end", [&] { read_text(file, ~std::uint64_t{0}, 2); }));
    EXPECT_TRUE(fails_with(ErrorCode::Malformed, "x: 18446744073709551615 bytes", [&] {
      file.read_range(1, ~std::uint64_t{0}, ~std::uint64_t{0}, "x");
    }));
    EXPECT_TRUE(fails_with(ErrorCode::Limit, "x at byte 0 has 10 bytes, at most 9", [&] {
      file.read_range(0, 10, 9, "x");
    }));
  }
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(files[0].inode(), status.st_ino);
  EXPECT_EQ(files[0].device_id(), status.st_dev);
  EXPECT_EQ(files[1].inode(), 0u);
}

TEST(InputFile, KeepsAppendedBytesBehindItsEnd) {
  const ScratchFolder folder;
  const std::string path = folder.file("f");
  test::write_file(path, "0123");
  InputFile files[] = {InputFile::open(path), InputFile::from_bytes("m", bytes_of("0123"))};
  for (InputFile& file : files) {
    EXPECT_EQ(file.append(as_bytes("abc")), 4u);
    EXPECT_EQ(file.append(as_bytes("d")), 7u);
    EXPECT_EQ(file.size_bytes(), 4u);
    EXPECT_EQ(read_text(file, 2, 6), "23abcd");
    EXPECT_EQ(read_text(file, 5, 2), "bc");
    EXPECT_TRUE(fails_with(ErrorCode::Malformed, "past the end", [&] { read_text(file, 7, 2); }));
  }
}

TEST(InputFile, CanBeMoved) {
  const ScratchFolder folder;
  test::write_file(folder.file("f"), "0123");
  InputFile first = InputFile::open(folder.file("f"));
  InputFile second = std::move(first);
  EXPECT_EQ(read_text(second, 0, 4), "0123");
  second = InputFile::from_bytes("m", bytes_of("abcd"));
  EXPECT_EQ(read_text(second, 0, 4), "abcd");
}

TEST(BadInputFile, ShrinksWhileItIsRead) {
  const ScratchFolder folder;
  const std::string path = folder.file("f");
  test::write_file(path, "0123456789");
  const InputFile file = InputFile::open(path);
  std::filesystem::resize_file(path, 4);
  EXPECT_TRUE(fails_with(
      ErrorCode::Io, "it had 10 bytes, now it ends at 4", [&] { read_text(file, 2, 8); }));
}

TEST(BadInputFile, IsNoFile) {
  const ScratchFolder folder;
  EXPECT_TRUE(fails_with(
      ErrorCode::Io, "is a folder, not a file", [&] { InputFile::open(folder.path().string()); }));
  const std::string fifo = folder.file("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_TRUE(fails_with(ErrorCode::Io, "is a FIFO, not a file", [&] { InputFile::open(fifo); }));
  const std::string name = folder.file("socket");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(name.size(), sizeof(address.sun_path));
  std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(descriptor,
                   static_cast<const sockaddr*>(static_cast<const void*>(&address)),
                   sizeof(address)),
            0);
  EXPECT_TRUE(fails_with(ErrorCode::Io, "is a socket, not a file", [&] { InputFile::open(name); }));
  ::close(descriptor);
}

TEST(BadInputFile, CannotBeOpened) {
  const ScratchFolder folder;
  EXPECT_TRUE(fails_with(ErrorCode::Io, "no/such': no such file or directory", [&] {
    InputFile::open(folder.file("no/such"));
  }));
  EXPECT_TRUE(
      fails_with(ErrorCode::Io, "cannot open '': no such file", [] { InputFile::open(""); }));
  EXPECT_TRUE(fails_with(
      ErrorCode::Io, "NUL in the path", [] { InputFile::open(std::string("a\0b", 3)); }));
  std::filesystem::create_symlink("loop", folder.path() / "loop");
  EXPECT_TRUE(
      fails_with(ErrorCode::Io, "cannot open", [&] { InputFile::open(folder.file("loop")); }));
}

}  // namespace
}  // namespace ptec
