#include "support/byte_source.h"

#include <cstring>
#include <utility>

namespace ptec {

ByteSource::Handle ByteSource::of_file(InputFile file) {
  return Handle(new ByteSource(std::move(file)));
}

ByteSource::Handle ByteSource::of_bytes(std::vector<std::byte> bytes) {
  return Handle(new ByteSource(std::move(bytes)));
}

ByteSource::Handle ByteSource::of_foreign(Bytes bytes, std::function<void()> release) {
  return Handle(new ByteSource(Foreign{bytes, std::move(release)}));
}

ByteSource::~ByteSource() {
  if (const auto* foreign = std::get_if<Foreign>(&storage_)) {
    if (foreign->release) foreign->release();
  }
}

Bytes ByteSource::memory() const {
  if (const auto* bytes = std::get_if<std::vector<std::byte>>(&storage_)) return *bytes;
  if (const auto* foreign = std::get_if<Foreign>(&storage_)) return foreign->bytes;
  return {};
}

void ByteSource::read_at(std::uint64_t offset_bytes, std::span<std::byte> out) const {
  if (file() != nullptr) {
    file()->read_at(offset_bytes, out);
    return;
  }
  const Bytes from = slice(memory(), offset_bytes, out.size(), "memory");
  if (!out.empty()) std::memcpy(out.data(), from.data(), out.size());
}

}  // namespace ptec
