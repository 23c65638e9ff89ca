#include "support/payload.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "support/base64.h"
#include "support/error.h"

namespace ptec {

Payload Payload::of_bytes(std::vector<std::byte> bytes) {
  Payload out;
  out.size_bytes_ = out.encoded_size_bytes_ = bytes.size();
  out.source_ = ByteSource::of_bytes(std::move(bytes));
  return out;
}

Payload Payload::of_foreign(Bytes bytes, std::function<void()> release) {
  Payload out;
  out.size_bytes_ = out.encoded_size_bytes_ = bytes.size();
  out.source_ = ByteSource::of_foreign(bytes, std::move(release));
  return out;
}

Payload Payload::of_base64_text(std::string_view text) {
  return of_bytes(decode_base64(text, "payload"));
}

Payload Payload::of_range(ByteSource::Handle source,
                          const FileRecord& record,
                          std::uint64_t offset_bytes,
                          std::uint64_t encoded_size_bytes,
                          PayloadEncoding encoding) {
  if (offset_bytes < record.offset_bytes ||
      offset_bytes - record.offset_bytes > record.size_bytes ||
      encoded_size_bytes > record.size_bytes - (offset_bytes - record.offset_bytes)) {
    fail(ErrorCode::Malformed,
         fmt::format("{} bytes at byte {} do not lie within member '{}' ({} bytes at byte {})",
                     encoded_size_bytes,
                     offset_bytes,
                     record.name,
                     record.size_bytes,
                     record.offset_bytes));
  }
  Payload out;
  out.source_ = std::move(source);
  out.record_ = std::make_shared<const FileRecord>(record);
  out.offset_bytes_ = offset_bytes;
  out.encoded_size_bytes_ = encoded_size_bytes;
  out.encoding_ = encoding;
  out.size_bytes_ = encoded_size_bytes;
  if (encoding == PayloadEncoding::Base64 && encoded_size_bytes != 0) {
    std::array<std::byte, 4> last{};
    Base64Fault fault = Base64Fault::Length;
    if (encoded_size_bytes % 4 == 0) {
      out.source_->read_at(offset_bytes + encoded_size_bytes - 4, last);
      out.size_bytes_ = base64_decoded_size(encoded_size_bytes, last, &fault);
    }
    if (fault != Base64Fault::None) {
      const std::uint64_t at = offset_bytes + encoded_size_bytes - encoded_size_bytes % 4 -
                               (fault == Base64Fault::Length ? 0 : 4);
      fail(ErrorCode::Malformed,
           fmt::format("member '{}': {} at byte {}", record.name, base64_fault_text(fault), at));
    }
  }
  return out;
}

Payload Payload::part(std::uint64_t offset_bytes,
                      std::uint64_t size_bytes,
                      std::string_view what) const {
  PTEC_INVARIANT(encoding_ == PayloadEncoding::Raw, "a part of a payload that is encoded");
  if (offset_bytes > size_bytes_ || size_bytes > size_bytes_ - offset_bytes) {
    fail(ErrorCode::Malformed,
         fmt::format("{}: {} bytes at byte {} are past the end of its {} bytes",
                     what,
                     size_bytes,
                     offset_bytes,
                     size_bytes_));
  }
  Payload out = *this;
  out.offset_bytes_ += offset_bytes;
  out.size_bytes_ = out.encoded_size_bytes_ = size_bytes;
  return out;
}

Bytes Payload::memory() const {
  if (source_ == nullptr || record_ != nullptr) return {};
  return slice(source_->memory(), offset_bytes_, size_bytes_, "payload");
}

}  // namespace ptec
