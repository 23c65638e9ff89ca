#include "tests/support/zip_repair.h"

#include <libdeflate.h>

#include <cstdint>

namespace ptec::test {
namespace {

std::size_t read_le(std::string_view text, std::size_t offset, int width_bytes) {
  std::size_t value = 0;
  for (int i = 0; i < width_bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text.at(offset + static_cast<std::size_t>(i)));
    value |= std::size_t{byte} << (8 * i);
  }
  return value;
}

void write_le32(std::string& text, std::size_t offset, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) {
    text.at(offset + i) = static_cast<char>(static_cast<unsigned char>((value >> (8 * i)) & 0xFF));
  }
}

}  // namespace

std::vector<ZipMember> list_zip_members(std::string_view zip) {
  const std::size_t end = zip.rfind("PK\x05\x06");
  const std::size_t count = read_le(zip, end + 10, 2);
  std::size_t at = read_le(zip, end + 16, 4);
  std::vector<ZipMember> members;
  for (std::size_t i = 0; i < count; ++i) {
    ZipMember member;
    member.entry_offset = at;
    member.size_bytes = read_le(zip, at + 24, 4);
    const std::size_t name_size = read_le(zip, at + 28, 2);
    const std::size_t header = read_le(zip, at + 42, 4);
    member.name = zip.substr(at + 46, name_size);
    member.data_offset = header + 30 + read_le(zip, header + 26, 2) + read_le(zip, header + 28, 2);
    at += 46 + name_size + read_le(zip, at + 30, 2) + read_le(zip, at + 32, 2);
    members.push_back(std::move(member));
  }
  return members;
}

void repair_zip_sum(std::string& zip, const ZipMember& member, std::size_t base) {
  if (member.size_bytes == 0) return;
  const std::size_t data = base + member.data_offset;
  const std::uint32_t sum = libdeflate_crc32(0, zip.data() + data, member.size_bytes);
  write_le32(zip, base + member.entry_offset + 16, sum);
  write_le32(zip, data + member.size_bytes + 4, sum);
}

}  // namespace ptec::test
