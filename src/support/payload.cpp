#include "support/payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "support/base64.h"
#include "support/crc32.h"
#include "support/error.h"

namespace ptec {
namespace {

// Checksums the bytes [begin, end) of a file, a buffer at a time.
std::uint32_t crc32_of_range(const InputFile& file,
                             std::uint64_t begin,
                             std::uint64_t end,
                             std::uint32_t crc,
                             std::span<std::byte> buffer) {
  while (begin < end) {
    const std::size_t size =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), end - begin));
    const std::span<std::byte> chunk = buffer.first(size);
    file.read_at(begin, chunk);
    crc = crc32(crc, chunk);
    begin += size;
  }
  return crc;
}

void check_crc(const FileRecord& record, std::uint32_t crc) {
  if (crc == record.crc32) return;
  fail(ErrorCode::Malformed,
       fmt::format("member '{}' ({} bytes at byte {}) is damaged: its crc-32 is {:08x}, the "
                   "directory says {:08x}",
                   record.name,
                   record.size_bytes,
                   record.offset_bytes,
                   crc,
                   record.crc32));
}

[[noreturn]] void fail_base64(const FileRecord& record, Base64Fault fault, std::uint64_t offset) {
  fail(ErrorCode::Malformed,
       fmt::format("member '{}': {} at byte {}", record.name, base64_fault_text(fault), offset));
}

}  // namespace

Payload Payload::of_bytes(std::vector<std::byte> bytes) {
  Payload out;
  out.size_bytes_ = bytes.size();
  out.memory_ = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return out;
}

Payload Payload::of_base64_text(std::string_view text) {
  return of_bytes(decode_base64(text, "payload"));
}

Payload Payload::of_range(const InputFile& file,
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
  out.file_ = &file;
  out.record_ = &record;
  out.offset_bytes_ = offset_bytes;
  out.encoded_size_bytes_ = encoded_size_bytes;
  out.encoding_ = encoding;
  out.size_bytes_ = encoded_size_bytes;
  if (encoding == PayloadEncoding::Base64 && encoded_size_bytes != 0) {
    std::array<std::byte, 4> last{};
    Base64Fault fault = Base64Fault::Length;
    if (encoded_size_bytes % 4 == 0) {
      file.read_at(offset_bytes + encoded_size_bytes - 4, last);
      out.size_bytes_ = base64_decoded_size(encoded_size_bytes, last, &fault);
    }
    if (fault != Base64Fault::None) {
      fail_base64(record,
                  fault,
                  offset_bytes + encoded_size_bytes - encoded_size_bytes % 4 -
                      (fault == Base64Fault::Length ? 0 : 4));
    }
  }
  return out;
}

Bytes Payload::memory() const { return memory_ ? Bytes(*memory_) : Bytes(); }

struct PayloadReader::State {
  enum class Phase { Start, Inside, Done };

  Payload payload;
  Check check;
  Phase phase = Phase::Start;
  std::uint64_t position = 0;  // of the next byte to read in the file
  std::uint64_t end = 0;       // of the payload
  std::uint32_t crc = 0;
  std::vector<std::byte> stored;   // as in the file
  std::vector<std::byte> decoded;  // base64 only
  Base64Decoder decoder;

  State(const Payload& payload_in, Check check_in) : payload(payload_in), check(check_in) {}

  std::span<std::byte> buffer() { return stored; }
  void start();
  void finish();
  Bytes decode(Bytes text);
};

void PayloadReader::State::start() {
  phase = Phase::Inside;
  position = payload.offset_bytes();
  end = position + payload.encoded_size_bytes();
  const FileRecord& record = *payload.record();
  const std::uint64_t most =
      check == Check::WholeRecord ? record.size_bytes : payload.encoded_size_bytes();
  stored.resize(static_cast<std::size_t>(std::min<std::uint64_t>(most, kPayloadChunkBytes)));
  if (payload.encoding() == PayloadEncoding::Base64) {
    decoded.resize(Base64Decoder::room(stored.size()));
  }
  if (check == Check::WholeRecord) {
    crc = crc32_of_range(*payload.file(), record.offset_bytes, position, 0, buffer());
  }
}

void PayloadReader::State::finish() {
  phase = Phase::Done;
  const FileRecord& record = *payload.record();
  if (check == Check::WholeRecord) {
    crc = crc32_of_range(
        *payload.file(), end, record.offset_bytes + record.size_bytes, crc, buffer());
    check_crc(record, crc);
  }
  if (payload.encoding() == PayloadEncoding::Base64) {
    const Base64Decoder::Step last = decoder.finish();
    if (last.fault != Base64Fault::None) {
      fail_base64(record, last.fault, payload.offset_bytes() + last.fault_index);
    }
  }
}

Bytes PayloadReader::State::decode(Bytes text) {
  const Base64Decoder::Step step = decoder.feed(text, decoded.data());
  if (step.fault != Base64Fault::None) {
    fail_base64(*payload.record(), step.fault, payload.offset_bytes() + step.fault_index);
  }
  return Bytes(decoded).first(step.written);
}

PayloadReader::PayloadReader(const Payload& payload, Check check)
    : state_(std::make_unique<State>(payload, check)) {}

PayloadReader::~PayloadReader() = default;

Bytes PayloadReader::next() {
  State& state = *state_;
  if (state.phase == State::Phase::Done) return {};
  if (!state.payload.is_range()) {
    state.phase = State::Phase::Done;
    return state.payload.memory();
  }
  if (state.phase == State::Phase::Start) state.start();
  while (state.position < state.end) {
    const std::size_t size = static_cast<std::size_t>(
        std::min<std::uint64_t>(state.stored.size(), state.end - state.position));
    const std::span<std::byte> chunk = state.buffer().first(size);
    state.payload.file()->read_at(state.position, chunk);
    state.position += size;
    if (state.check == Check::WholeRecord) state.crc = crc32(state.crc, chunk);
    const Bytes out =
        state.payload.encoding() == PayloadEncoding::Base64 ? state.decode(chunk) : Bytes(chunk);
    if (!out.empty()) return out;
  }
  state.finish();
  return {};
}

void verify_record_crc(const InputFile& file, const FileRecord& record) {
  std::vector<std::byte> buffer(
      static_cast<std::size_t>(std::min<std::uint64_t>(record.size_bytes, kPayloadChunkBytes)));
  check_crc(record,
            crc32_of_range(
                file, record.offset_bytes, record.offset_bytes + record.size_bytes, 0, buffer));
}

bool same_bytes(const Payload& a, const Payload& b) {
  if (a.size_bytes() != b.size_bytes()) return false;
  if (a.is_range() && a.file() == b.file() && a.offset_bytes() == b.offset_bytes() &&
      a.encoding() == b.encoding() && a.encoded_size_bytes() == b.encoded_size_bytes()) {
    return true;
  }
  PayloadReader reader_a(a, PayloadReader::Check::None);
  PayloadReader reader_b(b, PayloadReader::Check::None);
  Bytes left_a;
  Bytes left_b;
  while (true) {
    if (left_a.empty()) left_a = reader_a.next();
    if (left_b.empty()) left_b = reader_b.next();
    if (left_a.empty() || left_b.empty()) return left_a.empty() && left_b.empty();
    const std::size_t size = std::min(left_a.size(), left_b.size());
    if (std::memcmp(left_a.data(), left_b.data(), size) != 0) return false;
    left_a = left_a.subspan(size);
    left_b = left_b.subspan(size);
  }
}

std::vector<std::byte> read_payload(const Payload& payload, std::uint64_t max_bytes) {
  if (payload.size_bytes() > max_bytes) {
    fail(ErrorCode::Limit,
         fmt::format("payload has {} bytes, at most {} are read into memory",
                     payload.size_bytes(),
                     max_bytes));
  }
  std::vector<std::byte> out;
  out.reserve(static_cast<std::size_t>(payload.size_bytes()));
  PayloadReader reader(payload, PayloadReader::Check::None);
  for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) {
    out.insert(out.end(), chunk.begin(), chunk.end());
  }
  return out;
}

}  // namespace ptec
