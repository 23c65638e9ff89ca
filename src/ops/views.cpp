#include "ops/views.h"

#include <unordered_map>

namespace ptec::edge {
namespace {

struct Row {
  std::string_view view;
  std::string_view copy;
};
constexpr Row kRows[] = {
#define PTEC_VIEW(view, copy) {view, copy},
#include "ops/views.def"
#undef PTEC_VIEW
};

}  // namespace

std::string_view copy_of_view(std::string_view target) {
  static const std::unordered_map<std::string_view, std::string_view> copies = [] {
    std::unordered_map<std::string_view, std::string_view> out;
    for (const Row& row : kRows) out.emplace(row.view, row.copy);
    return out;
  }();
  const auto row = copies.find(target);
  return row == copies.end() ? std::string_view() : row->second;
}

}  // namespace ptec::edge
