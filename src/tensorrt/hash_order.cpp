#include "tensorrt/hash_order.h"

#include <fmt/format.h>

#include <iterator>
#include <limits>

#include "support/error.h"
#include "support/limits.h"

namespace ptec::tensorrt {
namespace {

constexpr std::uint64_t kSeed = 0xc70f6907u;
constexpr std::uint64_t kMultiplier =
    (std::uint64_t{0xc6a4a793u} << 32) + std::uint64_t{0x5bd1e995u};
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// Bucket counts that a growing map goes through: about twice the last, the next prime of
// libstdc++'s list.
constexpr std::size_t kBucketCounts[] = {13,
                                         29,
                                         59,
                                         127,
                                         257,
                                         541,
                                         1109,
                                         2357,
                                         5087,
                                         10273,
                                         20753,
                                         42043,
                                         85229,
                                         172933,
                                         351061,
                                         712697};
constexpr std::size_t kMaxKeys = kBucketCounts[std::size(kBucketCounts) - 1];
static_assert(kMaxEngineBindings <= kMaxKeys, "the aliases of a record must fit the table");

std::uint64_t load(std::string_view text, std::size_t at, std::size_t size) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < size; ++i)
    out |= std::uint64_t{static_cast<unsigned char>(text[at + i])} << (8 * i);
  return out;
}

std::uint64_t shift_mix(std::uint64_t value) { return value ^ (value >> 47); }

/// The singly linked list with bucket heads that libstdc++ keeps: a new item goes to the front of
/// its bucket, and the first item of a bucket goes to the front of the whole list.
class Chain {
 public:
  explicit Chain(const std::vector<std::uint64_t>& hashes)
      : hashes_(hashes), next_(hashes.size(), kNone) {
    rehash(0);
  }

  void insert(std::size_t item) {
    if (size_ + 1 > buckets_.size()) rehash(++growth_);
    link(item);
    ++size_;
  }

  std::vector<std::size_t> order() const {
    std::vector<std::size_t> out;
    for (std::size_t item = first_; item != kNone; item = next_[item]) out.push_back(item);
    return out;
  }

 private:
  // A bucket remembers the item before its first one; kBeforeFirst stands for the list's own start.
  static constexpr std::size_t kBeforeFirst = kNone - 1;

  std::size_t bucket_of(std::size_t item) const {
    return static_cast<std::size_t>(hashes_[item] % buckets_.size());
  }

  std::size_t& after(std::size_t item) { return item == kBeforeFirst ? first_ : next_[item]; }

  void link(std::size_t item) {
    std::size_t& before = buckets_[bucket_of(item)];
    if (before != kNone) {
      next_[item] = after(before);
      after(before) = item;
      return;
    }
    next_[item] = first_;
    first_ = item;
    if (next_[item] != kNone) buckets_[bucket_of(next_[item])] = item;
    before = kBeforeFirst;
  }

  void rehash(std::size_t growth) {
    const std::vector<std::size_t> items = order();
    buckets_.assign(kBucketCounts[growth], kNone);
    first_ = kNone;
    for (const std::size_t item : items) link(item);
  }

  const std::vector<std::uint64_t>& hashes_;
  std::vector<std::size_t> next_;
  std::vector<std::size_t> buckets_;
  std::size_t first_ = kNone;
  std::size_t size_ = 0;
  std::size_t growth_ = 0;
};

}  // namespace

std::uint64_t libstdcxx_hash(std::string_view text) {
  std::uint64_t hash = kSeed ^ (text.size() * kMultiplier);
  std::size_t at = 0;
  for (; text.size() - at >= 8; at += 8) {
    hash = (hash ^ (shift_mix(load(text, at, 8) * kMultiplier) * kMultiplier)) * kMultiplier;
  }
  if (at < text.size()) hash = (hash ^ load(text, at, text.size() - at)) * kMultiplier;
  return shift_mix(shift_mix(hash) * kMultiplier);
}

std::vector<std::size_t> hash_map_order(const std::vector<std::string_view>& keys) {
  if (keys.size() > kMaxKeys) {
    fail(ErrorCode::Limit,
         fmt::format("{} aliases; the order of at most {} is known", keys.size(), kMaxKeys));
  }
  std::vector<std::uint64_t> hashes;
  for (const std::string_view key : keys) hashes.push_back(libstdcxx_hash(key));
  Chain chain(hashes);
  for (std::size_t i = 0; i < keys.size(); ++i) chain.insert(i);
  return chain.order();
}

}  // namespace ptec::tensorrt
