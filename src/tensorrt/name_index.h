// Binding names, looked up by text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace ptec::tensorrt {

/// Positions of names in a list, by name. Built in N log N comparisons and asked in log N, whatever
/// the names are: a hash table would let the names of a made-up record collide. Borrows the names.
class NameIndex {
 public:
  /// `names` has texts: std::string or std::string_view. At most 2^32 - 1 of them.
  template <typename Text>
  explicit NameIndex(const std::vector<Text>& names)
      : names_(names.begin(), names.end()), by_name_(names.size()) {
    std::iota(by_name_.begin(), by_name_.end(), std::uint32_t{0});
    std::sort(by_name_.begin(), by_name_.end(), [this](std::uint32_t a, std::uint32_t b) {
      const int order = names_[a].compare(names_[b]);
      return order != 0 ? order < 0 : a < b;
    });
  }

  /// Position of the first name that equals `name`.
  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = std::lower_bound(
        by_name_.begin(), by_name_.end(), name, [this](std::uint32_t index, std::string_view text) {
          return names_[index] < text;
        });
    if (found == by_name_.end() || names_[*found] != name) return std::nullopt;
    return *found;
  }

  /// The lowest position whose name stands at an earlier one too.
  std::optional<std::size_t> first_repeat() const {
    std::optional<std::size_t> lowest;
    for (std::size_t i = 1; i < by_name_.size(); ++i) {
      if (names_[by_name_[i - 1]] != names_[by_name_[i]]) continue;
      if (!lowest || by_name_[i] < *lowest) lowest = by_name_[i];
    }
    return lowest;
  }

 private:
  std::vector<std::string_view> names_;
  std::vector<std::uint32_t> by_name_;
};

}  // namespace ptec::tensorrt
