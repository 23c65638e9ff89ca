// Upper bounds that the caller gives to dimensions that have none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.h"

namespace ptec::edge {

struct MaxSize {
  std::string name;      // of a symbol ("s10") or of an input's dimension ("x.0")
  std::int64_t max = 0;  // at least 1
};

enum class MaxSizeResult : std::uint8_t {
  NoSuchDimension,  // the program has neither such a symbol nor such an input dimension
  BoundedAlready,   // it has, but the size is bounded, or a number
  Applied
};

/// Narrows the ranges of symbols so that each named dimension is at most its max. An input's
/// dimension that is an expression of one symbol, such as `2*s10`, bounds that symbol. Returns what
/// became of each. Throws InvalidArgument where the max is below what the dimension is at least, or
/// the dimension depends on several symbols.
std::vector<MaxSizeResult> apply_max_sizes(Program& program, const std::vector<MaxSize>& sizes);

/// "'s10' ('x.0', 'y.1')" for each symbol without an upper bound, for messages; empty when there is
/// none.
std::string unbounded_text(const Program& program);

/// Names of the inputs' dimensions that depend on a symbol: "'x.0', 'y.1'", at most a few.
std::string dimensions_text(const Program& program, const std::string& symbol);

}  // namespace ptec::edge
