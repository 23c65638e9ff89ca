#include "plan/gaps.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "support/bytes.h"
#include "support/error.h"

namespace ptec::plan {
namespace {

constexpr std::uint32_t kMomentsPerPage = 64;

/// The tensors placed so far, by when they are alive: a page lists those alive in one stretch of
/// moments.
class Timetable {
 public:
  explicit Timetable(const std::vector<Tensor>& tensors) : tensors_(tensors) {
    std::uint32_t last = 0;
    for (const Tensor& tensor : tensors) last = std::max(last, tensor.lifetime.last);
    pages_.resize(last / kMomentsPerPage + 1);
  }

  void add(std::size_t index) {
    const Lifetime& lifetime = tensors_[index].lifetime;
    for (std::uint32_t page = lifetime.first / kMomentsPerPage;
         page <= lifetime.last / kMomentsPerPage;
         ++page) {
      pages_[page].push_back(index);
    }
  }

  /// Those alive at some moment of the lifetime, each once, in order of their index.
  std::vector<std::size_t> alive_during(const Lifetime& lifetime) const {
    std::vector<std::size_t> out;
    for (std::uint32_t page = lifetime.first / kMomentsPerPage;
         page <= lifetime.last / kMomentsPerPage;
         ++page) {
      for (const std::size_t index : pages_[page]) {
        const Lifetime& other = tensors_[index].lifetime;
        if (other.first <= lifetime.last && lifetime.first <= other.last) out.push_back(index);
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

 private:
  const std::vector<Tensor>& tensors_;
  std::vector<std::vector<std::size_t>> pages_;
};

struct Stretch {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// Start of the smallest gap of at least `size` bytes between the stretches, or their end.
std::uint64_t best_gap(std::vector<Stretch> taken, std::uint64_t base, std::uint64_t size) {
  std::sort(taken.begin(), taken.end(), [](const Stretch& a, const Stretch& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::optional<Stretch> best;
  std::uint64_t free_from = base;
  for (const Stretch& stretch : taken) {
    if (stretch.begin > free_from && stretch.begin - free_from >= size &&
        (!best || stretch.begin - free_from < best->end - best->begin))
      best = Stretch{free_from, stretch.begin};
    free_from = std::max(free_from, stretch.end);
  }
  return best ? best->begin : free_from;
}

}  // namespace

Placement place_in_gaps(const std::vector<Tensor>& tensors, std::uint64_t base_bytes) {
  Placement greedy = place_greedily(tensors, base_bytes);
  std::vector<std::size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&tensors](std::size_t a, std::size_t b) {
    return tensors[a].size_bytes > tensors[b].size_bytes;
  });

  Placement placement;
  placement.offset_bytes.resize(tensors.size());
  placement.arena_size_bytes = base_bytes;
  Timetable placed(tensors);
  for (const std::size_t index : order) {
    std::vector<Stretch> taken;
    for (const std::size_t other : placed.alive_during(tensors[index].lifetime)) {
      const std::uint64_t begin = placement.offset_bytes[other];
      taken.push_back({begin, begin + tensors[other].size_bytes});
    }
    const std::uint64_t offset = best_gap(std::move(taken), base_bytes, tensors[index].size_bytes);
    // Past the greedy size there is nothing to win any more.
    const std::optional<std::uint64_t> end = checked_add(offset, tensors[index].size_bytes);
    if (!end || *end > greedy.arena_size_bytes) return greedy;
    placement.offset_bytes[index] = offset;
    placement.arena_size_bytes = std::max(placement.arena_size_bytes, *end);
    placed.add(index);
  }
  return placement;
}

}  // namespace ptec::plan
