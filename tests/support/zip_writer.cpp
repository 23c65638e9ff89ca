#include "tests/support/zip_writer.h"

#include <fcntl.h>
#include <libdeflate.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace ptec::test {
namespace {

constexpr std::uint64_t kAlignment = 64;
constexpr std::size_t kBufferBytes = std::size_t{1} << 20;
constexpr std::uint32_t k32BitsFull = 0xFFFFFFFFu;

void put(std::string& out, std::uint64_t value, int width_bytes) {
  for (int i = 0; i < width_bytes; ++i) {
    out.push_back(static_cast<char>(static_cast<unsigned char>((value >> (8 * i)) & 0xFF)));
  }
}

std::uint32_t low_or_full(std::uint64_t value) {
  return value >= k32BitsFull ? k32BitsFull : static_cast<std::uint32_t>(value);
}

[[noreturn]] void throw_errno(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

}  // namespace

FileSink::FileSink(const std::string& path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) throw_errno("open " + path);
  buffer_.reserve(kBufferBytes);
}

FileSink::~FileSink() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FileSink::write(std::span<const std::byte> bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() >= kBufferBytes) {
    buffer_.assign(bytes.begin(), bytes.end());
    flush();
    return;
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void FileSink::flush() {
  std::span<const std::byte> rest(buffer_);
  while (!rest.empty()) {
    const ::ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0) throw_errno("write");
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void FileSink::close() {
  flush();
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) throw_errno("close");
}

void StringSink::write(std::span<const std::byte> bytes) {
  for (const std::byte byte : bytes) text_.push_back(static_cast<char>(byte));
}

void ZipWriter::emit(std::string_view text) {
  out_.write(text);
  offset_bytes_ += text.size();
}

void ZipWriter::begin_member(std::string name, std::uint64_t size_bytes) {
  Member member;
  member.name = std::move(name);
  member.size_bytes = size_bytes;
  member.header_offset_bytes = offset_bytes_;

  std::string extra;
  if (member.large() || member.far()) {
    const int fields = (member.large() ? 2 : 0) + (member.far() ? 1 : 0);
    put(extra, 1, 2);
    put(extra, static_cast<std::uint64_t>(8 * fields), 2);
    if (member.large()) {
      put(extra, size_bytes, 8);
      put(extra, 0, 8);
    }
    if (member.far()) put(extra, member.header_offset_bytes, 8);
  }
  const std::uint64_t unpadded = offset_bytes_ + 30 + member.name.size() + extra.size() + 4;
  const std::uint64_t padding = (kAlignment - unpadded % kAlignment) % kAlignment;
  extra += "FB";
  put(extra, padding, 2);
  extra.append(static_cast<std::size_t>(padding), 'Z');

  std::string header;
  put(header, 0x04034B50u, 4);
  put(header, 0, 2);
  put(header, size_bytes == 0 ? 0x0800 : 0x0808, 2);
  put(header, 0, 2 + 2 + 2);  // stored; no time
  put(header, 0, 4 + 4);
  put(header, 0, 4);  // sum and sizes stand behind the data
  put(header, member.name.size(), 2);
  put(header, extra.size(), 2);
  emit(header + member.name + extra);
  members_.push_back(std::move(member));
  written_bytes_ = 0;
}

void ZipWriter::write(std::span<const std::byte> bytes) {
  Member& member = members_.back();
  member.crc32 = libdeflate_crc32(member.crc32, bytes.data(), bytes.size());
  written_bytes_ += bytes.size();
  offset_bytes_ += bytes.size();
  out_.write(bytes);
}

void ZipWriter::skip(CountingSink& below, std::uint64_t size_bytes) {
  written_bytes_ += size_bytes;
  offset_bytes_ += size_bytes;
  below.skip(size_bytes);
}

void ZipWriter::end_member() {
  const Member& member = members_.back();
  if (written_bytes_ != member.size_bytes) {
    throw std::logic_error("member " + member.name + " has another size than announced");
  }
  if (member.size_bytes == 0) return;
  const int width = member.large() || member.far() ? 8 : 4;
  std::string descriptor;
  put(descriptor, 0x08074B50u, 4);
  put(descriptor, member.crc32, 4);
  put(descriptor, member.size_bytes, width);
  put(descriptor, member.size_bytes, width);
  emit(descriptor);
}

void ZipWriter::add_member(std::string name, std::string_view data) {
  begin_member(std::move(name), data.size());
  if (!data.empty()) ByteSink::write(data);
  end_member();
}

void ZipWriter::write_directory_entry(const Member& member) {
  std::string extra;
  if (member.large() || member.far()) {
    const int fields = (member.large() ? 2 : 0) + (member.far() ? 1 : 0);
    put(extra, 1, 2);
    put(extra, static_cast<std::uint64_t>(8 * fields), 2);
    if (member.large()) {
      put(extra, member.size_bytes, 8);
      put(extra, member.size_bytes, 8);
    }
    if (member.far()) put(extra, member.header_offset_bytes, 8);
  }
  std::string entry;
  put(entry, 0x02014B50u, 4);
  put(entry, 0, 2 + 2);
  put(entry, member.size_bytes == 0 ? 0x0800 : 0x0808, 2);
  put(entry, 0, 2 + 2 + 2);
  put(entry, member.crc32, 4);
  put(entry, low_or_full(member.size_bytes), 4);
  put(entry, low_or_full(member.size_bytes), 4);
  put(entry, member.name.size(), 2);
  put(entry, extra.size(), 2);
  put(entry, 0, 2 + 2 + 2);  // no comment, first disk, no attributes
  put(entry, 0, 4);
  put(entry, low_or_full(member.header_offset_bytes), 4);
  emit(entry + member.name + extra);
}

void ZipWriter::finish() {
  const std::uint64_t directory_offset = offset_bytes_;
  for (const Member& member : members_) write_directory_entry(member);
  const std::uint64_t directory_size = offset_bytes_ - directory_offset;
  const std::uint64_t zip64_end_offset = offset_bytes_;
  const std::uint64_t count = members_.size();

  std::string end;
  put(end, 0x06064B50u, 4);
  put(end, 44, 8);
  put(end, 0x031E, 2);
  put(end, 45, 2);
  put(end, 0, 4 + 4);
  put(end, count, 8);
  put(end, count, 8);
  put(end, directory_size, 8);
  put(end, directory_offset, 8);

  put(end, 0x07064B50u, 4);
  put(end, 0, 4);
  put(end, zip64_end_offset, 8);
  put(end, 1, 4);

  put(end, 0x06054B50u, 4);
  put(end, 0, 2 + 2);
  put(end, count > 0xFFFF ? 0xFFFF : count, 2);
  put(end, count > 0xFFFF ? 0xFFFF : count, 2);
  put(end, low_or_full(directory_size), 4);
  put(end, low_or_full(directory_offset), 4);
  put(end, 0, 2);
  emit(end);
}

}  // namespace ptec::test
