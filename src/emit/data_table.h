// Which bytes are stored once: constants, initial values, blobs of delegates, named data.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ir/delegate.h"
#include "support/payload_reader.h"

namespace ptec::emit {

/// Numbers distinct contents in the order in which they come. Equal bytes are one, whatever they
/// are pieced together from. Found by size, then by a digest of the first bytes, then by one of all
/// bytes, then by the bytes: what nothing else has the size of is not read at all, and reads are
/// linear in what comes.
class DataTable {
 public:
  /// `sums` is the one that the contents will be written with. Borrowed.
  explicit DataTable(RecordSums& sums) : sums_(&sums) {}

  /// The index of the content, from 0 on. What is there already is read through and checked, since
  /// it will not be written: throws what PayloadReader does.
  std::uint32_t add(Blob blob);
  std::uint32_t add(Payload payload);

  const std::vector<Blob>& contents() const { return contents_; }  // by index

 private:
  using Digest = std::array<std::uint64_t, 2>;
  /// The contents that agree in something: the first is alone until another comes.
  struct Group {
    std::uint32_t first = 0;
    bool alone = true;
  };

  std::uint32_t find(const Blob& blob);
  std::uint32_t find_among_heads(const Blob& blob);
  std::uint32_t find_among_digests(const Blob& blob);

  // All of these are looked up only.
  RecordSums* sums_;
  std::vector<Blob> contents_;
  std::map<Digest, std::uint32_t> by_pieces_;
  std::map<std::uint64_t, Group> by_size_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Group> by_head_;  // size and digest
  std::map<std::pair<std::uint64_t, Digest>, std::vector<std::uint32_t>> by_digest_;
};

}  // namespace ptec::emit
