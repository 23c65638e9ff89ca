#include "support/payload_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "support/base64.h"
#include "support/crc32.h"
#include "support/error.h"

namespace ptec {
namespace {

/// Hands the bytes [begin, end) of a source to `take`, a buffer at a time.
template <typename Take>
void for_each_chunk(const ByteSource& source,
                    std::uint64_t begin,
                    std::uint64_t end,
                    std::span<std::byte> buffer,
                    const Take& take) {
  while (begin < end) {
    const std::size_t size =
        static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), end - begin));
    const std::span<std::byte> chunk = buffer.first(size);
    source.read_at(begin, chunk);
    take(Bytes(chunk));
    begin += size;
  }
}

std::vector<std::byte> chunk_buffer(std::uint64_t most_bytes) {
  return std::vector<std::byte>(
      static_cast<std::size_t>(std::min<std::uint64_t>(most_bytes, kPayloadChunkBytes)));
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

bool is_part_of_its_record(const Payload& payload) {
  return payload.encoding() == PayloadEncoding::Raw &&
         payload.encoded_size_bytes() != payload.record()->size_bytes;
}

void check_block(const FileRecord& record, std::uint32_t wanted, Bytes block) {
  if (crc32(0, block) == wanted) return;
  fail(ErrorCode::Io,
       fmt::format("member '{}' ({} bytes at byte {}) changed while it was read",
                   record.name,
                   record.size_bytes,
                   record.offset_bytes));
}

}  // namespace

const std::vector<std::uint32_t>& RecordSums::blocks_of(const Payload& part) {
  const FileRecord& record = *part.record();
  const auto [found, added] = blocks_.try_emplace(std::pair(part.source(), record.offset_bytes));
  if (!added) return found->second;
  std::vector<std::byte> buffer = chunk_buffer(record.size_bytes);
  std::uint32_t whole = 0;
  std::vector<std::uint32_t> blocks;
  for_each_chunk(*part.source(),
                 record.offset_bytes,
                 record.offset_bytes + record.size_bytes,
                 buffer,
                 [&](Bytes chunk) {
                   whole = crc32(whole, chunk);
                   for (; !chunk.empty();
                        chunk = chunk.subspan(std::min(chunk.size(), kBlockBytes)))
                     blocks.push_back(crc32(0, chunk.first(std::min(chunk.size(), kBlockBytes))));
                 });
  check_crc(record, whole);
  found->second = std::move(blocks);
  return found->second;
}

struct PayloadReader::State {
  enum class Phase { Start, Inside, Done };
  /// How the bytes are checked: not at all, the record that they lie in with them, or by blocks.
  enum class Check { None, Record, Blocks };

  Payload payload;
  RecordSums* sums;
  Check check = Check::None;
  Phase phase = Phase::Start;
  std::uint64_t position = 0;  // of the next byte to read in the source
  std::uint64_t end = 0;       // of what is read
  std::uint32_t crc = 0;
  const std::vector<std::uint32_t>* blocks = nullptr;
  std::vector<std::byte> stored;   // as in the source
  std::vector<std::byte> decoded;  // base64 only
  Base64Decoder decoder;

  State(const Payload& payload_in, RecordSums* sums_in) : payload(payload_in), sums(sums_in) {}

  void start();
  void start_blocks();
  void finish();
  void add_to_crc(std::uint64_t begin, std::uint64_t until);
  Bytes decode(Bytes text);
  Bytes check_blocks(Bytes chunk);
  Bytes take(Bytes chunk);
};

void PayloadReader::State::start() {
  phase = Phase::Inside;
  position = payload.offset_bytes();
  end = position + payload.encoded_size_bytes();
  const FileRecord* record = payload.record();
  if (sums != nullptr && record != nullptr)
    check = is_part_of_its_record(payload) ? Check::Blocks : Check::Record;
  if (check == Check::Blocks) {
    start_blocks();
    return;
  }
  stored = chunk_buffer(check == Check::Record ? record->size_bytes : end - position);
  if (payload.encoding() == PayloadEncoding::Base64)
    decoded.resize(Base64Decoder::room(stored.size()));
  if (check == Check::Record) add_to_crc(record->offset_bytes, position);
}

/// Widens what is read to whole blocks.
void PayloadReader::State::start_blocks() {
  if (position == end) return;
  const FileRecord& record = *payload.record();
  blocks = &sums->blocks_of(payload);
  position -= (position - record.offset_bytes) % RecordSums::kBlockBytes;
  end =
      std::min(record.offset_bytes + record.size_bytes,
               record.offset_bytes + round_up(end - record.offset_bytes, RecordSums::kBlockBytes));
  stored = chunk_buffer(end - position);
}

void PayloadReader::State::finish() {
  phase = Phase::Done;
  if (check == Check::Record) {
    const FileRecord& record = *payload.record();
    add_to_crc(end, record.offset_bytes + record.size_bytes);
    check_crc(record, crc);
  }
  if (payload.encoding() == PayloadEncoding::Base64) {
    const Base64Decoder::Step last = decoder.finish();
    if (last.fault != Base64Fault::None) {
      fail_base64(*payload.record(), last.fault, payload.offset_bytes() + last.fault_index);
    }
  }
}

void PayloadReader::State::add_to_crc(std::uint64_t begin, std::uint64_t until) {
  for_each_chunk(
      *payload.source(), begin, until, stored, [this](Bytes chunk) { crc = crc32(crc, chunk); });
}

Bytes PayloadReader::State::decode(Bytes text) {
  const Base64Decoder::Step step = decoder.feed(text, decoded.data());
  if (step.fault != Base64Fault::None) {
    fail_base64(*payload.record(), step.fault, payload.offset_bytes() + step.fault_index);
  }
  return Bytes(decoded).first(step.written);
}

/// Of some blocks that end at `position`, what belongs to the payload.
Bytes PayloadReader::State::check_blocks(Bytes chunk) {
  const std::uint64_t begin = position - chunk.size();
  const std::uint64_t first = (begin - payload.record()->offset_bytes) / RecordSums::kBlockBytes;
  for (std::size_t at = 0; at < chunk.size(); at += RecordSums::kBlockBytes) {
    const std::size_t size = std::min<std::size_t>(RecordSums::kBlockBytes, chunk.size() - at);
    check_block(*payload.record(),
                blocks->at(static_cast<std::size_t>(first + at / RecordSums::kBlockBytes)),
                chunk.subspan(at, size));
  }
  const std::uint64_t payload_end = payload.offset_bytes() + payload.size_bytes();
  const std::uint64_t skipped = std::max(begin, payload.offset_bytes()) - begin;
  return chunk.subspan(static_cast<std::size_t>(skipped),
                       static_cast<std::size_t>(std::min(position, payload_end) - begin - skipped));
}

Bytes PayloadReader::State::take(Bytes chunk) {
  if (check == Check::Record) crc = crc32(crc, chunk);
  if (check == Check::Blocks) return check_blocks(chunk);
  return payload.encoding() == PayloadEncoding::Base64 ? decode(chunk) : chunk;
}

PayloadReader::PayloadReader(const Payload& payload)
    : state_(std::make_unique<State>(payload, nullptr)) {}

PayloadReader::PayloadReader(const Payload& payload, RecordSums& sums)
    : state_(std::make_unique<State>(payload, &sums)) {}

PayloadReader::~PayloadReader() = default;

Bytes PayloadReader::next() {
  State& state = *state_;
  if (state.phase == State::Phase::Done) return {};
  if (state.payload.record() == nullptr) {  // memory is handed out as it lies there
    PTEC_INVARIANT(state.payload.source() != nullptr || state.payload.size_bytes() == 0,
                   "a payload of which only the size is known cannot be read");
    state.phase = State::Phase::Done;
    return state.payload.memory();
  }
  if (state.phase == State::Phase::Start) state.start();
  while (state.position < state.end) {
    const std::size_t size = static_cast<std::size_t>(
        std::min<std::uint64_t>(state.stored.size(), state.end - state.position));
    const std::span<std::byte> chunk = std::span(state.stored).first(size);
    state.payload.source()->read_at(state.position, chunk);
    state.position += size;
    const Bytes out = state.take(chunk);
    if (!out.empty()) return out;
  }
  state.finish();
  return {};
}

bool same_bytes(const Payload& a, const Payload& b) {
  if (a.size_bytes() != b.size_bytes()) return false;
  if (a.source() == b.source() && a.offset_bytes() == b.offset_bytes() &&
      a.encoding() == b.encoding() && a.encoded_size_bytes() == b.encoded_size_bytes()) {
    return true;
  }
  PayloadReader reader_a(a);
  PayloadReader reader_b(b);
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

namespace {

std::vector<std::byte> read_all(const Payload& payload,
                                std::uint64_t max_bytes,
                                PayloadReader& reader) {
  if (payload.size_bytes() > max_bytes) {
    fail(ErrorCode::Limit,
         fmt::format("payload has {} bytes, at most {} are read into memory",
                     payload.size_bytes(),
                     max_bytes));
  }
  std::vector<std::byte> out;
  out.reserve(static_cast<std::size_t>(payload.size_bytes()));
  for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) {
    out.insert(out.end(), chunk.begin(), chunk.end());
  }
  return out;
}

}  // namespace

std::vector<std::byte> read_payload(const Payload& payload,
                                    std::uint64_t max_bytes,
                                    RecordSums& sums) {
  PayloadReader reader(payload, sums);
  return read_all(payload, max_bytes, reader);
}

std::vector<std::byte> read_payload(const Payload& payload, std::uint64_t max_bytes) {
  PayloadReader reader(payload);
  return read_all(payload, max_bytes, reader);
}

}  // namespace ptec
