#include "plan/greedy.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory_resource>
#include <numeric>
#include <optional>

#include "plan/bucket_index.h"
#include "support/bytes.h"
#include "support/error.h"

namespace ptec::plan {
namespace {

/// One bucket: how far up it is occupied at every moment. `height_` maps the first moment of a
/// stretch to the end offset of what is alive in it (nothing: free), so that a bucket with
/// thousands of tensors answers in logarithmic time.
class Bucket {
 public:
  Bucket(std::uint64_t size_bytes, std::pmr::memory_resource* memory)
      : size_bytes_(size_bytes), height_(memory) {
    height_.emplace(0, std::nullopt);
  }

  std::uint64_t size_bytes() const { return size_bytes_; }

  /// Highest end offset of what is alive at some moment of `lifetime`; nothing when the bucket is
  /// free all the time.
  std::optional<std::uint64_t> occupied_up_to(const Lifetime& lifetime) const {
    std::optional<std::uint64_t> highest;
    for (auto at = std::prev(height_.upper_bound(lifetime.first));
         at != height_.end() && at->first <= lifetime.last;
         ++at) {
      if (at->second) highest = std::max(highest.value_or(0), *at->second);
    }
    return highest;
  }

  void occupy(const Lifetime& lifetime, std::uint64_t end_offset_bytes) {
    split(lifetime.first);
    split(lifetime.last + 1);
    for (auto at = height_.find(lifetime.first); at != height_.end() && at->first <= lifetime.last;
         ++at) {
      at->second = std::max(at->second.value_or(0), end_offset_bytes);
    }
  }

 private:
  void split(std::uint32_t moment) {
    const auto at = std::prev(height_.upper_bound(moment));
    if (at->first != moment) height_.emplace(moment, at->second);
  }

  std::uint64_t size_bytes_;
  std::pmr::map<std::uint32_t, std::optional<std::uint64_t>> height_;
};

struct Spot {
  std::size_t bucket = 0;
  std::uint64_t offset_bytes = 0;
};

/// The buckets in the order in which they were made, so by falling size.
class Buckets {
 public:
  explicit Buckets(std::pmr::memory_resource* memory) : memory_(memory) {}

  const std::vector<Bucket>& all() const { return buckets_; }

  Spot place(const Tensor& tensor) {
    const Spot spot = pick(tensor);
    if (spot.bucket == buckets_.size()) buckets_.emplace_back(tensor.size_bytes, memory_);
    Bucket& bucket = buckets_[spot.bucket];
    const std::uint64_t end_offset_bytes = spot.offset_bytes + tensor.size_bytes;
    bucket.occupy(tensor.lifetime, end_offset_bytes);
    if (end_offset_bytes == bucket.size_bytes()) index_.fill(spot.bucket, tensor.lifetime);
    return spot;
  }

 private:
  Spot pick(const Tensor& tensor) const {
    std::optional<Spot> behind;
    for (std::size_t i = next(0, tensor, behind); i < buckets_.size();
         i = next(i + 1, tensor, behind)) {
      const std::optional<std::uint64_t> occupied = buckets_[i].occupied_up_to(tensor.lifetime);
      if (!occupied) return {i, 0};
      if (!behind && *occupied > 0 && tensor.size_bytes <= buckets_[i].size_bytes() - *occupied)
        behind = Spot{i, *occupied};
    }
    return behind.value_or(Spot{buckets_.size(), 0});
  }

  // A full bucket still has room for nothing: an empty tensor fits behind what is alive in it.
  std::size_t next(std::size_t from,
                   const Tensor& tensor,
                   const std::optional<Spot>& behind) const {
    const bool fits_when_full = tensor.size_bytes == 0 && !behind && from < buckets_.size() &&
                                buckets_[from].size_bytes() > 0;
    return fits_when_full ? from : index_.find(from, tensor.lifetime);
  }

  std::pmr::memory_resource* memory_;
  std::vector<Bucket> buckets_;
  BucketIndex index_;
};

}  // namespace

Placement place_greedily(const std::vector<Tensor>& tensors, std::uint64_t base_bytes) {
  std::vector<std::size_t> order(tensors.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&tensors](std::size_t a, std::size_t b) {
    return tensors[a].size_bytes > tensors[b].size_bytes;
  });

  std::pmr::monotonic_buffer_resource memory;  // stretches are only ever added
  Buckets placed(&memory);
  std::vector<Spot> spots(tensors.size());
  for (const std::size_t index : order) spots[index] = placed.place(tensors[index]);

  const std::vector<Bucket>& buckets = placed.all();
  std::vector<std::uint64_t> start(buckets.size());
  std::uint64_t total = base_bytes;
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    start[i] = total;
    const std::optional<std::uint64_t> sum = checked_add(total, buckets[i].size_bytes());
    if (!sum || *sum > static_cast<std::uint64_t>(INT64_MAX))
      fail(ErrorCode::Limit, "the planned memory passes 2^63 bytes");
    total = *sum;
  }
  Placement placement;
  placement.arena_size_bytes = total;
  for (const Spot& spot : spots)
    placement.offset_bytes.push_back(start[spot.bucket] + spot.offset_bytes);
  return placement;
}

}  // namespace ptec::plan
