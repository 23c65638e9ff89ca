#include "tests/support/random_program.h"

#include <fmt/format.h>

#include <random>
#include <vector>

namespace ptec::test {
namespace {

constexpr int kSizes[] = {1, 2, 7, 16, 33};
constexpr int kLargest = 33;

struct Vector {
  std::string name;
  int size = 0;
};

class Writer {
 public:
  explicit Writer(std::uint32_t seed) : random_(seed) {}

  std::string program() {
    const Vector x = fresh(kLargest);
    const Vector y = fresh(16);
    std::vector<Vector> values{x, y};
    std::string body = nodes(values, 12, 0);
    std::string results;
    for (int i = 0; i < 3; ++i) results += (i == 0 ? "" : ", ") + values[below(values.size())].name;
    return fmt::format("method forward({}: f32[{}], {}: f32[{}]) {{\n{}  return ({})\n}}\n",
                       x.name,
                       x.size,
                       y.name,
                       y.size,
                       body,
                       results);
  }

 private:
  // Not a standard distribution: those differ from library to library.
  std::size_t below(std::size_t bound) { return random_() % bound; }

  Vector fresh(int size) { return {fmt::format("%v{}", ++count_), size}; }

  const Vector& any(const std::vector<Vector>& values) { return values[below(values.size())]; }

  std::string nodes(std::vector<Vector>& values, int count, int depth) {
    std::string out;
    for (int i = 0; i < count; ++i) {
      const std::size_t kind = below(depth < 3 ? 8 : 4);
      if (kind < 4) {
        out += simple(values);
      } else if (kind < 6) {
        out += cond(values, depth);
      } else if (kind == 6) {
        out += map(values);
      } else {
        out += loop(values, depth);
      }
    }
    return out;
  }

  std::string simple(std::vector<Vector>& values) {
    const Vector a = any(values);
    const Vector b = any(values);
    if (a.size == b.size) {
      const Vector c = fresh(a.size);
      values.push_back(c);
      return fmt::format(
          "  {}: f32[{}] = aten::add.Tensor({}, {})\n", c.name, c.size, a.name, b.name);
    }
    if (a.size + b.size <= kLargest && below(2) == 0) {
      const Vector c = fresh(a.size + b.size);
      values.push_back(c);
      return fmt::format(
          "  {}: f32[{}] = aten::cat.default([{}, {}], 0)\n", c.name, c.size, a.name, b.name);
    }
    const Vector c = fresh(a.size);
    values.push_back(c);
    return fmt::format("  {}: f32[{}] = aten::exp.default({})\n", c.name, c.size, a.name);
  }

  /// A new value of that size from any that is large enough; the first of `values` always is.
  std::string sized(const std::vector<Vector>& values, const Vector& result) {
    Vector source = any(values);
    if (source.size < result.size) source = values[0];
    if (source.size == result.size) {  // a slice of all would be removed
      return fmt::format(
          "  {}: f32[{}] = aten::neg.default({})\n", result.name, result.size, source.name);
    }
    return fmt::format("  {}: f32[{}] = aten::slice_copy.Tensor({}, 0, 0, {})\n",
                       result.name,
                       result.size,
                       source.name,
                       result.size);
  }

  std::string branch(int operand_size,
                     const std::vector<int>& sizes,
                     int depth,
                     bool may_return_input) {
    const Vector x = fresh(kLargest);
    const Vector y = fresh(operand_size);
    std::vector<Vector> values{x, y};
    std::string body = nodes(values, static_cast<int>(below(5)), depth + 1);
    std::string results;
    for (const int size : sizes) {
      // A branch may return what it was given; the reference then shares the operand's memory.
      const bool as_given = may_return_input && size == kLargest && below(3) == 0;
      const Vector result = as_given ? x : fresh(size);
      if (!as_given) body += sized(values, result);
      results += (results.empty() ? "" : ", ") + result.name;
    }
    return fmt::format("graph({}: f32[{}], {}: f32[{}]) {{\n{}  return ({})\n}}",
                       x.name,
                       x.size,
                       y.name,
                       y.size,
                       body,
                       results);
  }

  std::string results_of(const Vector& list,
                         const std::vector<int>& sizes,
                         std::vector<Vector>& values) {
    std::string out;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      values.push_back(fresh(sizes[i]));
      out += fmt::format(
          "  {}: f32[{}] = getitem({}, {})\n", values.back().name, sizes[i], list.name, i);
    }
    return out;
  }

  std::string cond(std::vector<Vector>& values, int depth) {
    const Vector first = fresh(1);
    const Vector positive = fresh(1);
    const Vector operand = any(values);
    const std::string large = values[0].name;
    std::string out = sized(values, first);
    out += fmt::format("  {}: b8[1] = aten::gt.Scalar({}, 0)\n", positive.name, first.name);
    std::vector<int> sizes;
    std::string types;
    for (std::size_t i = 0; i <= below(2); ++i) {
      sizes.push_back(kSizes[below(std::size(kSizes))]);
      types += fmt::format("{}f32[{}]", i == 0 ? "" : ", ", sizes.back());
    }
    const Vector list = fresh(0);
    const std::string then = branch(operand.size, sizes, depth, true);
    const std::string otherwise = branch(operand.size, sizes, depth, true);
    out += fmt::format("  {}: ({}) = higher_order::cond({}, {}, {}, [{}, {}])\n",
                       list.name,
                       types,
                       positive.name,
                       then,
                       otherwise,
                       large,
                       operand.name);
    return out + results_of(list, sizes, values);
  }

  std::string map(std::vector<Vector>& values) {
    const Vector over = any(values);
    const Vector list = fresh(0);
    const Vector x = fresh(0);
    const Vector y = fresh(0);
    const Vector z = fresh(0);
    std::string out = fmt::format(
        "  {}: (f32[{}]) = higher_order::map_impl(graph({}: f32[]) {{\n"
        "  {}: f32[] = aten::exp.default({})\n"
        "  {}: f32[] = aten::add.Tensor({}, {})\n  return ({})\n}}, [{}], [])\n",
        list.name,
        over.size,
        x.name,
        y.name,
        x.name,
        z.name,
        y.name,
        x.name,
        z.name,
        over.name);
    return out + results_of(list, {over.size}, values);
  }

  std::string loop(std::vector<Vector>& values, int depth) {
    const Vector carried = any(values);
    const Vector large = values[0];
    const Vector list = fresh(0);
    const Vector x = fresh(kLargest);
    const Vector y = fresh(carried.size);
    const Vector first = fresh(1);
    const Vector holds = fresh(1);
    std::string condition = fmt::format(
        "graph({}: f32[{}], {}: f32[{}]) {{\n"
        "  {}: f32[1] = aten::slice_copy.Tensor({}, 0, 0, 1)\n"
        "  {}: b8[1] = aten::gt.Scalar({}, 0)\n  return ({})\n}}",
        x.name,
        kLargest,
        y.name,
        carried.size,
        first.name,
        x.name,
        holds.name,
        first.name,
        holds.name);
    const std::string body = branch(carried.size, {kLargest, carried.size}, depth, false);
    std::string out =
        fmt::format("  {}: (f32[{}], f32[{}]) = higher_order::while_loop({}, {}, [{}, {}], [])\n",
                    list.name,
                    kLargest,
                    carried.size,
                    condition,
                    body,
                    large.name,
                    carried.name);
    return out + results_of(list, {kLargest, carried.size}, values);
  }

  std::mt19937 random_;
  int count_ = 0;
};

}  // namespace

std::string random_program(std::uint32_t seed) { return Writer(seed).program(); }

}  // namespace ptec::test
