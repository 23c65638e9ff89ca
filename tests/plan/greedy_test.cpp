#include "plan/greedy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "plan/gaps.h"
#include "ptec/error.h"

namespace ptec::plan {
namespace {

// Slow and obvious: no two tensors that are alive at the same time share a byte, and all lie in the
// arena.
void expect_no_live_overlap(const std::vector<Tensor>& tensors, const Placement& placement) {
  ASSERT_EQ(placement.offset_bytes.size(), tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_LE(placement.offset_bytes[i] + tensors[i].size_bytes, placement.arena_size_bytes);
    for (std::size_t j = 0; j < i; ++j) {
      const bool together = tensors[i].lifetime.first <= tensors[j].lifetime.last &&
                            tensors[j].lifetime.first <= tensors[i].lifetime.last;
      const bool overlap =
          placement.offset_bytes[i] < placement.offset_bytes[j] + tensors[j].size_bytes &&
          placement.offset_bytes[j] < placement.offset_bytes[i] + tensors[i].size_bytes;
      EXPECT_FALSE(together && overlap) << "tensors " << j << " and " << i;
    }
  }
}

// The reference's own loop over all members of all buckets, without the stretches that make ours
// fast.
Placement place_slowly(const std::vector<Tensor>& tensors) {
  struct Member {
    std::size_t tensor;
    std::uint64_t offset;
  };
  struct Bucket {
    std::uint64_t size;
    std::vector<Member> members;
  };
  std::vector<std::size_t> order;
  for (std::size_t i = tensors.size(); i-- > 0;) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return tensors[a].size_bytes > tensors[b].size_bytes;
  });
  std::vector<Bucket> buckets;
  const auto together = [&](std::size_t a, std::size_t b) {
    return tensors[a].lifetime.first <= tensors[b].lifetime.last &&
           tensors[b].lifetime.first <= tensors[a].lifetime.last;
  };
  for (const std::size_t index : order) {
    bool placed = false;
    for (Bucket& bucket : buckets) {
      if (std::none_of(bucket.members.begin(), bucket.members.end(), [&](const Member& member) {
            return together(member.tensor, index);
          })) {
        bucket.members.push_back({index, 0});
        placed = true;
        break;
      }
    }
    for (std::size_t i = 0; !placed && i < buckets.size(); ++i) {
      std::uint64_t end = 0;
      for (const Member& member : buckets[i].members) {
        if (together(member.tensor, index))
          end = std::max(end, member.offset + tensors[member.tensor].size_bytes);
      }
      if (end > 0 && end + tensors[index].size_bytes <= buckets[i].size) {
        buckets[i].members.push_back({index, end});
        placed = true;
      }
    }
    if (!placed) buckets.push_back({tensors[index].size_bytes, {{index, 0}}});
  }
  Placement out;
  out.offset_bytes.resize(tensors.size());
  for (const Bucket& bucket : buckets) {
    for (const Member& member : bucket.members)
      out.offset_bytes[member.tensor] = out.arena_size_bytes + member.offset;
    out.arena_size_bytes += bucket.size;
  }
  return out;
}

std::vector<Tensor> random_tensors(std::mt19937& random, std::size_t count) {
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(random() % 60);
    tensors.push_back(
        {random() % 9 * 16, {first, first + static_cast<std::uint32_t>(random() % 12)}});
  }
  return tensors;
}

TEST(Greedy, PlacesNothingInAnEmptyArena) {
  const Placement placement = place_greedily({});
  EXPECT_TRUE(placement.offset_bytes.empty());
  EXPECT_EQ(placement.arena_size_bytes, 0u);
}

TEST(Greedy, ReusesABucketAfterALifetime) {
  const Placement placement = place_greedily({{64, {0, 1}}, {64, {2, 3}}});
  EXPECT_EQ(placement.offset_bytes, (std::vector<std::uint64_t>{0, 0}));
  EXPECT_EQ(placement.arena_size_bytes, 64u);
}

TEST(Greedy, TakesTheLastOfEqualSizesFirst) {
  const Placement placement = place_greedily({{32, {0, 5}}, {32, {0, 5}}});
  EXPECT_EQ(placement.offset_bytes, (std::vector<std::uint64_t>{32, 0}));
}

TEST(Greedy, FillsTheRoomBehindWhatIsAlive) {
  // The bucket of 96 bytes is made for the first; while the second (32) lives in it later, the
  // third fits behind.
  const Placement placement = place_greedily({{96, {0, 1}}, {32, {2, 4}}, {16, {3, 5}}});
  EXPECT_EQ(placement.offset_bytes, (std::vector<std::uint64_t>{0, 0, 32}));
  EXPECT_EQ(placement.arena_size_bytes, 96u);
}

TEST(Greedy, StartsAtTheGivenBase) {
  EXPECT_EQ(place_greedily({{16, {0, 0}}}, 64).offset_bytes, std::vector<std::uint64_t>{64});
}

TEST(Greedy, EqualsTheReferencesLoopOnRandomTensors) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::vector<Tensor> tensors = random_tensors(random, random() % 40);
    const Placement fast = place_greedily(tensors);
    const Placement slow = place_slowly(tensors);
    EXPECT_EQ(fast.offset_bytes, slow.offset_bytes) << "round " << round;
    EXPECT_EQ(fast.arena_size_bytes, slow.arena_size_bytes) << "round " << round;
    expect_no_live_overlap(tensors, fast);
  }
}

// Many are alive together, to the end or in few places: the buckets that are passed over without a
// look must be those that the reference looks at in vain.
TEST(Greedy, EqualsTheReferencesLoopWhenManyAreAliveTogether) {
  std::mt19937 random(8);
  for (int round = 0; round < 400; ++round) {
    std::vector<Tensor> tensors;
    const std::uint32_t end = 1 + static_cast<std::uint32_t>(random() % 300);
    const std::size_t sizes = 1 + random() % 5;
    for (std::size_t i = random() % 150; i-- > 0;) {
      const auto first = static_cast<std::uint32_t>(random() % end);
      const auto length = static_cast<std::uint32_t>(random() % (random() % 2 == 0 ? 3 : end));
      const std::uint32_t last = random() % 3 == 0 ? end : std::min(end, first + length);
      tensors.push_back({random() % sizes * 16, {first, last}});
    }
    const Placement fast = place_greedily(tensors);
    const Placement slow = place_slowly(tensors);
    ASSERT_EQ(fast.offset_bytes, slow.offset_bytes) << "round " << round;
    ASSERT_EQ(fast.arena_size_bytes, slow.arena_size_bytes) << "round " << round;
  }
}

// Every bucket against every tensor would be 10^10 looks.
TEST(Greedy, PlacesAHundredThousandResults) {
  constexpr std::uint32_t kCount = 100'000;
  std::vector<Tensor> tensors;
  for (std::uint32_t i = 0; i < kCount; ++i) tensors.push_back({16, {i, kCount}});
  const Placement placement = place_greedily(tensors);
  EXPECT_EQ(placement.arena_size_bytes, 16u * kCount);
  EXPECT_EQ(placement.offset_bytes.front(), 16u * (kCount - 1));
  EXPECT_EQ(placement.offset_bytes.back(), 0u);
}

TEST(Gaps, TakesTheSmallestGapThatFits) {
  // 64 and 16 bytes are free beside what lives to the end; 16 bytes go into the smaller.
  const std::vector<Tensor> tensors{
      {96, {0, 9}}, {64, {0, 1}}, {48, {0, 9}}, {32, {0, 9}}, {16, {3, 4}}};
  const Placement placement = place_in_gaps(tensors);
  expect_no_live_overlap(tensors, placement);
  EXPECT_EQ(placement.offset_bytes[4], 96u);
  EXPECT_EQ(placement.arena_size_bytes, 240u);
}

TEST(Gaps, IsNeverLargerOnRandomTensorsAndOftenSmaller) {
  std::mt19937 random(11);
  int smaller = 0;
  for (int round = 0; round < 500; ++round) {
    const std::vector<Tensor> tensors = random_tensors(random, random() % 60);
    const Placement gaps = place_in_gaps(tensors, 32);
    const std::uint64_t greedy = place_greedily(tensors, 32).arena_size_bytes;
    expect_no_live_overlap(tensors, gaps);
    EXPECT_LE(gaps.arena_size_bytes, greedy) << "round " << round;
    smaller += gaps.arena_size_bytes < greedy ? 1 : 0;
  }
  EXPECT_GE(smaller, 100);
}

TEST(Gaps, bad_MoreThan63BitsIsALimit) {
  const std::uint64_t half = std::uint64_t{1} << 62;
  EXPECT_THROW(place_in_gaps({{half, {0, 0}}, {half, {0, 0}}}), Error);
}

}  // namespace
}  // namespace ptec::plan
