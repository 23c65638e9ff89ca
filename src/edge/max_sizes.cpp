#include "edge/max_sizes.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

#include "support/error.h"
#include "support/printable.h"

namespace ptec::edge {
namespace {

constexpr std::size_t kMaxDimensionsNamed = 4;

/// The size of "INPUT.AXIS", when there is such an input and such a dimension.
std::optional<Dim> find_dimension(const Program& program, std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  std::size_t axis = 0;
  const std::string_view digits = name.substr(dot + 1);
  const char* end = digits.data() + digits.size();
  if (digits.empty() || std::from_chars(digits.data(), end, axis).ptr != end) return std::nullopt;
  for (const InputSpec& input : program.inputs) {
    if (input.kind != InputKind::UserInput) continue;
    const Node& node = program.graph.at(input.node);
    const TensorMeta* tensor = node.value.tensor();
    if (node.name != name.substr(0, dot) || tensor == nullptr) continue;
    if (axis < tensor->sizes.size()) return tensor->sizes[axis];
  }
  return std::nullopt;
}

[[noreturn]] void fail_too_small(const MaxSize& size, std::int64_t least) {
  fail(ProblemId::BoundTooSmall,
       fmt::format("the upper bound {} for '{}' is below {}, the least that the program allows",
                   size.max,
                   printable(size.name),
                   least));
}

MaxSizeResult bound_symbol(Range& range, const MaxSize& size, std::int64_t max) {
  if (range.max) return MaxSizeResult::BoundedAlready;
  if (range.min && max < *range.min) fail_too_small(size, *range.min);
  range.max = max;
  return MaxSizeResult::Applied;
}

/// The largest value of the symbol that keeps a size growing with it at or below the max.
std::int64_t largest_symbol(const Program& program,
                            const Dim& dim,
                            const std::string& symbol,
                            const MaxSize& size) {
  const auto size_at = [&](std::int64_t value) {
    return program.exprs.evaluate(dim, {{symbol, value}});
  };
  std::int64_t low = program.ranges.find(symbol)->second.min.value_or(0);
  const std::optional<std::int64_t> least = size_at(low);
  if (!least || *least > size.max) fail_too_small(size, least.value_or(size.max));
  std::int64_t high = low + 1;
  for (auto at = size_at(high); at && *at <= size.max; at = size_at(high)) {
    if (high > (std::int64_t{1} << 40)) return high;  // the size does not grow with the symbol
    low = high;
    high *= 2;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    const std::optional<std::int64_t> at = size_at(middle);
    (at && *at <= size.max ? low : high) = middle;
  }
  return low;
}

MaxSizeResult bound_dimension(Program& program, const Dim& dim, const MaxSize& size) {
  if (dim.is_number() || program.exprs.bounds(dim, program.ranges).max)
    return MaxSizeResult::BoundedAlready;
  const std::vector<std::string> symbols = program.exprs.symbols(dim);
  if (symbols.size() != 1 || program.ranges.find(symbols[0]) == program.ranges.end()) {
    fail(ProblemId::BoundShared,
         fmt::format("'{}' is {}, which several symbols decide",
                     printable(size.name),
                     program.exprs.print(dim)));
  }
  const std::int64_t max = largest_symbol(program, dim, symbols[0], size);
  return bound_symbol(program.ranges.find(symbols[0])->second, size, max);
}

MaxSizeResult apply(Program& program, const MaxSize& size) {
  if (size.max < 1) {
    fail(ProblemId::BoundTooSmall,
         fmt::format("the upper bound {} for '{}' is below 1", size.max, printable(size.name)));
  }
  const auto symbol = program.ranges.find(size.name);
  if (symbol != program.ranges.end()) return bound_symbol(symbol->second, size, size.max);
  const std::optional<Dim> dim = find_dimension(program, size.name);
  return dim ? bound_dimension(program, *dim, size) : MaxSizeResult::NoSuchDimension;
}

}  // namespace

std::vector<MaxSizeResult> apply_max_sizes(Program& program, const std::vector<MaxSize>& sizes) {
  std::vector<MaxSizeResult> out;
  for (const MaxSize& size : sizes) out.push_back(apply(program, size));
  return out;
}

std::string dimensions_text(const Program& program, const std::string& symbol) {
  std::string out;
  std::size_t found = 0;
  for (const InputSpec& input : program.inputs) {
    if (input.kind != InputKind::UserInput) continue;
    const Node& node = program.graph.at(input.node);
    const TensorMeta* tensor = node.value.tensor();
    for (std::size_t axis = 0; tensor != nullptr && axis < tensor->sizes.size(); ++axis) {
      const std::vector<std::string> symbols = program.exprs.symbols(tensor->sizes[axis]);
      if (std::find(symbols.begin(), symbols.end(), symbol) == symbols.end()) continue;
      if (++found > kMaxDimensionsNamed) return out + ", ...";
      out += fmt::format("{}'{}.{}'", found == 1 ? "" : ", ", printable(node.name), axis);
    }
  }
  return out;
}

std::string unbounded_text(const Program& program) {
  std::string out;
  for (const auto& [symbol, range] : program.ranges) {
    if (range.max) continue;
    const std::string dimensions = dimensions_text(program, symbol);
    if (dimensions.empty()) continue;  // not a size of an input
    out += fmt::format("{}'{}' ({})", out.empty() ? "" : ", ", printable(symbol), dimensions);
  }
  return out;
}

}  // namespace ptec::edge
