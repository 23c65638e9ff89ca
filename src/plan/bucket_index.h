// Which buckets of an arena may have room for a lifetime, without a look at each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/lifetimes.h"

namespace ptec::plan {

/// A tree over buckets, numbered from 0. It knows of each a little about the moments at which it is
/// full, and of each group of buckets what holds for one of them at least. A graph that returns
/// thousands of tensors has as many buckets, all full at its end, and no search opens any.
class BucketIndex {
 public:
  /// The bucket is full during `lifetime`. Its number is one of those before, or the next.
  void fill(std::size_t bucket, const Lifetime& lifetime);

  /// The first bucket, `from` or behind it, that may be less than full during all of `lifetime`;
  /// the number of buckets when there is none. None that is never full then is passed over.
  std::size_t find(std::size_t from, const Lifetime& lifetime) const;

 private:
  // Moments at which a bucket is not known to be full: before `first_full`, after `last_full`, and,
  // where `gap_begin < gap_end`, within [gap_begin, gap_end). In a group: of its buckets, the
  // largest such ranges.
  struct Room {
    std::uint64_t first_full = 0;
    std::uint64_t last_full = UINT64_MAX;
    std::uint64_t gap_begin = UINT64_MAX;
    std::uint64_t gap_end = 0;

    bool may_hold(const Lifetime& lifetime) const;
    void widen(const Room& other);
  };

  void grow();
  void update(std::size_t node);

  std::size_t count_ = 0;
  std::size_t leaves_ = 0;   // a power of two
  std::vector<Room> nodes_;  // node 1 is the root, the children of n are 2n and 2n + 1
};

}  // namespace ptec::plan
