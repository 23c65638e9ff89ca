// Three maps stand behind one another. The first that comes with a size, and then the first with a
// size and head, is only noted; when a second comes, the first is moved on to the next map with it.
// So nothing is read before there is something to compare it with. Two that agree in size and head
// are compared at once, since they are likely equal; digests of all bytes are for the third.
#include "emit/data_table.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <string>

#include "emit/blob_reader.h"

namespace ptec::emit {
namespace {

constexpr std::uint32_t kNotFound = std::numeric_limits<std::uint32_t>::max();
/// Read to tell contents of one size apart; no more than a reader fetches in one go anyway.
constexpr std::size_t kHeadBytes = std::size_t{64} << 10;
/// Pieces in memory that are small count as equal by their bytes, larger ones by their address.
constexpr std::uint64_t kSmallPieceBytes = std::uint64_t{64} << 10;

/// Of at most the first `most` bytes, independently of the pieces.
XXH128_hash_t hash_of(const Blob& blob, std::uint64_t most) {
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  BlobReader reader(blob);
  for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) {
    const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(most, chunk.size()));
    XXH3_128bits_update(&state, chunk.data(), size);
    most -= size;
    if (most == 0) break;
  }
  return XXH3_128bits_digest(&state);
}

bool is_small_memory(const Payload& piece) {
  return piece.record() == nullptr && piece.size_bytes() <= kSmallPieceBytes;
}

/// Of where the pieces are, without reading a file.
std::array<std::uint64_t, 2> hash_of_pieces(const Blob& blob) {
  std::string text;
  const auto append = [&text](std::uint64_t number) {
    text.append(as_text(std::as_bytes(std::span(&number, 1))));
  };
  for (const Payload& piece : blob.pieces) {
    append(piece.size_bytes());
    if (is_small_memory(piece)) {
      text += as_text(piece.memory());
      continue;
    }
    const void* source = piece.source().get();
    text.append(as_text(std::as_bytes(std::span(&source, 1))));
    append(piece.offset_bytes());
    append(static_cast<std::uint64_t>(piece.encoding()));
  }
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {hash.high64, hash.low64};
}

bool same_place(const Payload& a, const Payload& b) {
  if (a.size_bytes() != b.size_bytes()) return false;
  if (is_small_memory(a) && is_small_memory(b)) return as_text(a.memory()) == as_text(b.memory());
  return a.source() == b.source() && a.offset_bytes() == b.offset_bytes() &&
         a.encoded_size_bytes() == b.encoded_size_bytes() && a.encoding() == b.encoding();
}

/// Whether the bytes are the same ones.
bool same_pieces(const Blob& a, const Blob& b) {
  return std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(), same_place);
}

/// Compares byte by byte. `dropped` is checked on the way if it is equal: only `kept` will be
/// checked when it is written.
bool same_bytes_checked(const Blob& kept, const Blob& dropped, RecordSums& sums) {
  BlobReader kept_reader(kept);
  BlobReader dropped_reader(dropped, &sums);
  Bytes left_a;
  Bytes left_b;
  while (true) {
    if (left_a.empty()) left_a = kept_reader.next();
    if (left_b.empty()) left_b = dropped_reader.next();
    if (left_a.empty() || left_b.empty()) return left_a.empty() && left_b.empty();
    const std::size_t size = std::min(left_a.size(), left_b.size());
    if (std::memcmp(left_a.data(), left_b.data(), size) != 0) return false;
    left_a = left_a.subspan(size);
    left_b = left_b.subspan(size);
  }
}

std::uint64_t head_digest(const Blob& blob) { return hash_of(blob, kHeadBytes).low64; }

std::array<std::uint64_t, 2> digest(const Blob& blob) {
  const XXH128_hash_t hash = hash_of(blob, std::numeric_limits<std::uint64_t>::max());
  return {hash.high64, hash.low64};
}

}  // namespace

std::uint32_t DataTable::add(Payload payload) {
  Blob blob;
  blob.pieces.push_back(std::move(payload));
  return add(std::move(blob));
}

std::uint32_t DataTable::add(Blob blob) {
  const Digest pieces = hash_of_pieces(blob);
  if (const auto known = by_pieces_.find(pieces);
      known != by_pieces_.end() && same_pieces(contents_[known->second], blob)) {
    return known->second;
  }
  std::uint32_t index = find(blob);
  if (index == kNotFound) {
    index = static_cast<std::uint32_t>(contents_.size());
    contents_.push_back(std::move(blob));
  }
  by_pieces_.try_emplace(pieces, index);
  return index;
}

/// The index of equal bytes, or nothing; then they are noted under the next index.
std::uint32_t DataTable::find(const Blob& blob) {
  const std::uint64_t size = blob.size_bytes();
  const auto [found, added] =
      by_size_.try_emplace(size, Group{static_cast<std::uint32_t>(contents_.size()), true});
  if (added) return kNotFound;
  Group& group = found->second;
  if (group.alone) {
    group.alone = false;
    by_head_.emplace(std::pair(size, head_digest(contents_[group.first])),
                     Group{group.first, true});
  }
  return find_among_heads(blob);
}

std::uint32_t DataTable::find_among_heads(const Blob& blob) {
  const std::uint64_t size = blob.size_bytes();
  const auto [found, added] =
      by_head_.try_emplace(std::pair(size, head_digest(blob)),
                           Group{static_cast<std::uint32_t>(contents_.size()), true});
  if (added) return kNotFound;
  Group& group = found->second;
  if (group.alone) {
    if (same_bytes_checked(contents_[group.first], blob, *sums_)) return group.first;
    group.alone = false;
    by_digest_[std::pair(size, digest(contents_[group.first]))].push_back(group.first);
  }
  return find_among_digests(blob);
}

std::uint32_t DataTable::find_among_digests(const Blob& blob) {
  std::vector<std::uint32_t>& candidates = by_digest_[std::pair(blob.size_bytes(), digest(blob))];
  for (const std::uint32_t candidate : candidates) {
    if (same_bytes_checked(contents_[candidate], blob, *sums_)) return candidate;
  }
  candidates.push_back(static_cast<std::uint32_t>(contents_.size()));
  return kNotFound;
}

}  // namespace ptec::emit
