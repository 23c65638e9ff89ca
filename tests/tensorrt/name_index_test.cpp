#include "tensorrt/name_index.h"

#include <gtest/gtest.h>

#include <string>

namespace ptec::tensorrt {
namespace {

TEST(NameIndex, FindsNamesWhereTheyStand) {
  const std::vector<std::string> names = {"b", "", "a", "ab"};
  const NameIndex index(names);
  EXPECT_EQ(index.find("a"), 2u);
  EXPECT_EQ(index.find("ab"), 3u);
  EXPECT_EQ(index.find("b"), 0u);
  EXPECT_EQ(index.find(""), 1u);
  EXPECT_EQ(index.find("aa"), std::nullopt);
  EXPECT_EQ(index.find("c"), std::nullopt);
  EXPECT_EQ(index.first_repeat(), std::nullopt);
}

TEST(NameIndex, HasNothingToFindInAnEmptyList) {
  const NameIndex index(std::vector<std::string>{});
  EXPECT_EQ(index.find(""), std::nullopt);
  EXPECT_EQ(index.first_repeat(), std::nullopt);
}

TEST(NameIndex, NamesTheFirstPositionThatRepeatsAnEarlierOne) {
  EXPECT_EQ(NameIndex(std::vector<std::string>{"x", "b", "a", "b", "a", "b"}).first_repeat(), 3u);
  EXPECT_EQ(NameIndex(std::vector<std::string>{"b", "b", "a", "a"}).first_repeat(), 1u);
}

TEST(NameIndex, FindsTheFirstOfEqualNames) {
  const std::vector<std::string> names = {"x", "b", "b"};
  EXPECT_EQ(NameIndex(names).find("b"), 1u);
}

}  // namespace
}  // namespace ptec::tensorrt
