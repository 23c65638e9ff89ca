#include "tensorrt/hash_order.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <unordered_map>

#include "ptec/error.h"

namespace ptec::tensorrt {
namespace {

constexpr std::size_t kMostKeys = 712'697;

TEST(HashMapOrder, ReversesAFewKeysThatFallIntoDifferentBuckets) {
  // A new first item of a bucket goes to the front of the list.
  EXPECT_EQ(hash_map_order({"output1", "output2"}), (std::vector<std::size_t>{1, 0}));
  EXPECT_TRUE(hash_map_order({}).empty());
}

#if defined(__GLIBCXX__) && defined(__x86_64__)
TEST(HashMapOrder, EqualsTheStandardLibrarysOwnOrder) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> keys;
    const std::size_t count = random() % 80;
    for (std::size_t i = 0; i < count; ++i) {
      keys.push_back(std::string(random() % 20, static_cast<char>('a' + random() % 26)) +
                     std::to_string(i));
    }
    std::unordered_map<std::string, std::size_t> map;
    for (std::size_t i = 0; i < count; ++i) map.emplace(keys[i], i);
    std::vector<std::size_t> wanted;
    for (const auto& [key, index] : map) wanted.push_back(index);  // the order is what is tested
    EXPECT_EQ(hash_map_order({keys.begin(), keys.end()}), wanted) << "round " << round;
  }
}

TEST(HashMapOrder, EqualsTheStandardLibrarysOwnOrderUpToItsLimit) {
  std::vector<std::string> keys;
  std::unordered_map<std::string, std::size_t> map;
  for (std::size_t i = 0; i < kMostKeys; ++i) {
    keys.push_back(std::to_string(i));
    map.emplace(keys.back(), i);
  }
  std::vector<std::size_t> wanted;
  for (const auto& [key, index] : map) wanted.push_back(index);
  EXPECT_EQ(hash_map_order({keys.begin(), keys.end()}), wanted);
}
#endif

TEST(HashMapOrder, bad_MoreKeysThanTheTableOfBucketCountsCovers) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i <= kMostKeys; ++i) keys.push_back(std::to_string(i));
  try {
    hash_map_order({keys.begin(), keys.end()});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::Limit);
    EXPECT_STREQ(error.what(), "712698 aliases; the order of at most 712697 is known");
  }
}

}  // namespace
}  // namespace ptec::tensorrt
