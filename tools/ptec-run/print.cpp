#include "print.h"

#include <fmt/format.h>

#include <cmath>

namespace ptec::run {
namespace {

constexpr std::uint64_t kSummaryThreshold = 64;
constexpr std::int64_t kEdgeItems = 3;

std::string real_text(double value, bool single) {
  std::string out =
      single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (std::isfinite(value) && out.find_first_of(".e") == std::string::npos) out += '.';
  return out;
}

std::string element_text(const Number& number) {
  switch (number.kind) {
    case Number::Kind::Bool:
      return number.integer != 0 ? "True" : "False";
    case Number::Kind::Signed:
      return fmt::format("{}", number.integer);
    case Number::Kind::Unsigned:
      return fmt::format("{}", number.whole);
    case Number::Kind::Real:
      return real_text(number.real, number.single);
    case Number::Kind::Complex:
      return fmt::format("{}{}{}j",
                         real_text(number.real, number.single),
                         std::signbit(number.imaginary) ? "" : "+",
                         real_text(number.imaginary, number.single));
    case Number::Kind::Opaque:
      break;
  }
  return fmt::format("{:#x}", number.whole);
}

class Printer {
 public:
  Printer(const Array& array, bool summary) : array_(array), summary_(summary) {}

  std::string run() {
    dimension(0, 0);
    return std::move(out_);
  }

 private:
  /// Prints what lies under `dim`; `index` counts what came before, in units of that dimension.
  void dimension(std::size_t dim, std::size_t index) {
    if (dim == array_.shape.size()) {
      out_ += element_text(element_at(array_, index));
      return;
    }
    const std::int64_t size = array_.shape[dim];
    const bool innermost = dim + 1 == array_.shape.size();
    const bool cut = summary_ && size > 2 * kEdgeItems;
    out_ += '[';
    for (std::int64_t i = 0; i < size; ++i) {
      if (i > 0) separate(dim, innermost);
      if (cut && i == kEdgeItems) {
        out_ += "...";
        i = size - kEdgeItems;
        separate(dim, innermost);
      }
      dimension(dim + 1, index * static_cast<std::size_t>(size) + static_cast<std::size_t>(i));
    }
    out_ += ']';
  }

  void separate(std::size_t dim, bool innermost) {
    if (innermost) {
      out_ += ' ';
      return;
    }
    // One line feed a level that closes, and the next row stands under the first.
    out_.append(array_.shape.size() - dim - 1, '\n');
    out_.append(dim + 1, ' ');
  }

  const Array& array_;
  bool summary_;
  std::string out_;
};

}  // namespace

std::string array_text(const Array& array, bool full) {
  return Printer(array, !full && element_count(array.shape) > kSummaryThreshold).run();
}

}  // namespace ptec::run
