#include "tests/support/zip_builder.h"

#include <libdeflate.h>

#include <algorithm>
#include <span>

namespace ptec::test {
namespace {

constexpr std::uint64_t kFull32 = 0xFFFFFFFFu;

void put(std::string& out, std::uint64_t value, int width_bytes) {
  for (int i = 0; i < width_bytes; ++i) {
    out.push_back(static_cast<char>(static_cast<unsigned char>((value >> (8 * i)) & 0xFF)));
  }
}

std::string deflated(const std::string& data) {
  libdeflate_compressor* compressor = libdeflate_alloc_compressor(6);
  std::string out(libdeflate_deflate_compress_bound(compressor, data.size()), '\0');
  out.resize(
      libdeflate_deflate_compress(compressor, data.data(), data.size(), out.data(), out.size()));
  libdeflate_free_compressor(compressor);
  return out;
}

// A member as it was written, with the numbers for the directory.
struct Written {
  const ZipMember* member;
  std::uint64_t header_offset = 0;
  std::uint64_t stored_size = 0;
  std::uint64_t inflated_size = 0;
  std::uint32_t crc32 = 0;
  std::uint16_t method = 0;
};

Written write_member(std::string& out, const ZipMember& member) {
  const std::string stored = member.deflate ? deflated(member.data) : member.data;
  Written written;
  written.member = &member;
  written.header_offset = out.size();
  written.stored_size = stored.size();
  written.inflated_size = member.data.size();
  written.crc32 = libdeflate_crc32(0, member.data.data(), member.data.size());
  written.method = member.deflate ? 8 : 0;

  const bool descriptor = (member.flags & 8) != 0;
  const std::string& name = member.local_name ? *member.local_name : member.name;
  std::string extra;
  if (member.zip64) {
    put(extra, 1, 2);
    put(extra, 16, 2);
    put(extra, descriptor ? 0 : written.inflated_size, 8);
    put(extra, descriptor ? 0 : written.stored_size, 8);
  }
  if (member.pad) {
    const std::size_t unpadded = out.size() + 30 + name.size() + extra.size() + 4;
    const std::size_t padding = (64 - unpadded % 64) % 64;
    extra += "FB";
    put(extra, padding, 2);
    extra.append(padding, 'Z');
  }
  put(out, 0x04034B50u, 4);
  put(out, 0, 2);
  put(out, member.flags, 2);
  put(out, member.local_method.value_or(member.method.value_or(written.method)), 2);
  put(out, 0, 4);
  put(out, descriptor ? 0 : member.crc32.value_or(written.crc32), 4);
  put(out, descriptor ? 0 : member.zip64 ? kFull32 : written.stored_size, 4);
  put(out, descriptor ? 0 : member.zip64 ? kFull32 : written.inflated_size, 4);
  put(out, name.size(), 2);
  put(out, extra.size(), 2);
  out += name + extra + stored;
  if (descriptor) {
    const int width = member.zip64 ? 8 : 4;
    if (member.descriptor_signature) put(out, 0x08074B50u, 4);
    put(out, written.crc32, 4);
    put(out, written.stored_size, width);
    put(out, written.inflated_size, width);
  }
  out += member.gap;
  return written;
}

void write_central(std::string& out, const Written& written) {
  const ZipMember& member = *written.member;
  const std::uint64_t stored = member.stored_size.value_or(written.stored_size);
  const std::uint64_t inflated = member.inflated_size.value_or(written.inflated_size);
  const std::uint64_t offset = member.header_offset.value_or(written.header_offset);
  const auto wide = [&](std::uint64_t number) { return member.zip64 || number >= kFull32; };
  std::string numbers;
  for (const std::uint64_t number : {inflated, stored, offset}) {
    if (wide(number)) put(numbers, number, 8);
  }
  std::string extra;
  if (!numbers.empty()) {
    put(extra, 1, 2);
    put(extra, numbers.size(), 2);
    extra += numbers;
  }
  extra += member.central_extra;
  put(out, 0x02014B50u, 4);
  put(out, 0, 4);
  put(out, member.flags, 2);
  put(out, member.method.value_or(written.method), 2);
  put(out, 0, 4);
  put(out, member.crc32.value_or(written.crc32), 4);
  put(out, wide(stored) ? kFull32 : stored, 4);
  put(out, wide(inflated) ? kFull32 : inflated, 4);
  put(out, member.name.size(), 2);
  put(out, extra.size(), 2);
  put(out, member.comment.size(), 2);
  put(out, member.disk.value_or(0), 2);
  put(out, 0, 2 + 4);
  put(out, wide(offset) ? kFull32 : offset, 4);
  out += member.name + extra + member.comment;
}

}  // namespace

std::string build_zip(const ZipFile& zip) {
  std::string out;
  std::vector<Written> written;
  for (const ZipMember& member : zip.members) written.push_back(write_member(out, member));
  const std::uint64_t begin = out.size();
  for (const Written& member : written) write_central(out, member);
  const std::uint64_t end = out.size();
  const std::uint64_t entries = zip.entries.value_or(written.size());
  const std::uint64_t size = zip.directory_size.value_or(end - begin);
  const std::uint64_t offset = zip.directory_offset.value_or(begin);
  if (zip.zip64_end) {
    put(out, 0x06064B50u, 4);
    put(out, 44, 8);
    put(out, 0x031E, 2);
    put(out, 45, 2);
    put(out, zip.disk, 4);
    put(out, zip.disk, 4);
    put(out, entries, 8);
    put(out, entries, 8);
    put(out, size, 8);
    put(out, offset, 8);
    put(out, 0x07064B50u, 4);
    put(out, 0, 4);
    put(out, end, 8);
    put(out, 1, 4);
  }
  put(out, 0x06054B50u, 4);
  put(out, zip.disk, 2);
  put(out, zip.disk, 2);
  put(out, std::min<std::uint64_t>(entries, 0xFFFF), 2);
  put(out, std::min<std::uint64_t>(entries, 0xFFFF), 2);
  put(out, std::min(size, kFull32), 4);
  put(out, std::min(offset, kFull32), 4);
  put(out, zip.comment.size(), 2);
  return out + zip.comment;
}

ZipFile pt2_zip(std::vector<ZipMember> more, std::string_view root) {
  ZipFile zip;
  const auto add = [&](ZipMember member) {
    member.name = std::string(root) + "/" + member.name;
    zip.members.push_back(std::move(member));
  };
  const std::pair<const char*, const char*> basics[] = {
      {"data/weights/model_weights_config.json", "{\"config\": {}}"},
      {"data/constants/model_constants_config.json", "{\"config\": {}}"},
      {"models/model.json", "{}"},
      {"archive_format", "pt2"},
      {"archive_version", "0"},
      {".data/version", "6\n"},
      {"byteorder", "little"},
  };
  for (const auto& basic : basics) {
    ZipMember member;
    member.name = basic.first;
    member.data = basic.second;
    add(std::move(member));
  }
  for (ZipMember& member : more) add(std::move(member));
  return zip;
}

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

std::string from_hex(std::string_view hex) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out.push_back(static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1])));
  }
  return out;
}

}  // namespace ptec::test
