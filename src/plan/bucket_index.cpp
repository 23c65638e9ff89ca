#include "plan/bucket_index.h"

#include <algorithm>
#include <utility>

#include "support/error.h"

namespace ptec::plan {

bool BucketIndex::Room::may_hold(const Lifetime& lifetime) const {
  return lifetime.last < first_full || lifetime.first > last_full ||
         (lifetime.first >= gap_begin && lifetime.last < gap_end);
}

void BucketIndex::Room::widen(const Room& other) {
  first_full = std::max(first_full, other.first_full);
  last_full = std::min(last_full, other.last_full);
  gap_begin = std::min(gap_begin, other.gap_begin);
  gap_end = std::max(gap_end, other.gap_end);
}

void BucketIndex::grow() {
  leaves_ = std::max<std::size_t>(1, leaves_ * 2);
  std::vector<Room> old = std::move(nodes_);
  nodes_.assign(leaves_ * 2, Room());
  for (std::size_t i = 0; i < count_; ++i) nodes_[leaves_ + i] = old[leaves_ / 2 + i];
  for (std::size_t node = leaves_ - 1; node >= 1; --node) update(node);
}

// A leaf without a bucket holds nothing, so it widens nothing.
void BucketIndex::update(std::size_t node) {
  nodes_[node] = nodes_[2 * node];
  nodes_[node].widen(nodes_[2 * node + 1]);
}

void BucketIndex::fill(std::size_t bucket, const Lifetime& lifetime) {
  PTEC_INVARIANT(bucket <= count_, "buckets are numbered one after the other");
  if (count_ == leaves_ && bucket == count_) grow();
  Room& room = nodes_[leaves_ + bucket];
  const std::uint64_t first = lifetime.first;
  const std::uint64_t last = lifetime.last;
  if (bucket == count_) {
    ++count_;
    room.first_full = first;
    room.last_full = last;
  } else {
    const std::uint64_t old_first = room.first_full;
    const std::uint64_t old_last = room.last_full;
    room.first_full = std::min(old_first, first);
    room.last_full = std::max(old_last, last);
    if (last + 1 < old_first) {
      room.gap_begin = std::min(room.gap_begin, last + 1);
      room.gap_end = std::max(room.gap_end, old_first);
    } else if (first > old_last + 1) {
      room.gap_begin = std::min(room.gap_begin, old_last + 1);
      room.gap_end = std::max(room.gap_end, first);
    }
  }
  for (std::size_t node = (leaves_ + bucket) / 2; node >= 1; node /= 2) update(node);
}

std::size_t BucketIndex::find(std::size_t from, const Lifetime& lifetime) const {
  if (from >= count_) return count_;
  std::size_t node = leaves_ + from;
  while (!nodes_[node].may_hold(lifetime)) {
    while (node % 2 == 1) {  // the last of its group
      if (node == 1) return count_;
      node /= 2;
    }
    ++node;
  }
  // Where no child may hold it, the ranges of a group were too wide together, and the last bucket
  // of the group is looked at in vain.
  while (node < leaves_) {
    node *= 2;
    if (!nodes_[node].may_hold(lifetime)) ++node;
  }
  return std::min(node - leaves_, count_);
}

}  // namespace ptec::plan
