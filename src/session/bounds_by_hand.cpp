#include "session/bounds_by_hand.h"

#include <fmt/format.h>

#include <algorithm>

#include "session/problems.h"
#include "support/printable.h"

namespace ptec {
namespace {

void check_applied(const SizeBound& bound, edge::MaxSizeResult result, const std::string& open) {
  if (result == edge::MaxSizeResult::Applied) return;
  if (result == edge::MaxSizeResult::BoundedAlready) {
    fail(
        ErrorCode::InvalidArgument,
        fmt::format("'{}' has an upper bound in the archive; leave it out", printable(bound.name)));
  }
  fail(ErrorCode::InvalidArgument,
       fmt::format("there is no symbol or input dimension '{}'; without an upper bound: {}",
                   printable(bound.name),
                   open.empty() ? "none" : open));
}

}  // namespace

BoundsByHand::BoundsByHand(const std::vector<SizeBound>& bounds)
    : bounds_(bounds), best_(bounds.size(), edge::MaxSizeResult::NoSuchDimension) {}

void BoundsByHand::note(const Program& program, const std::vector<edge::MaxSizeResult>& results) {
  for (std::size_t i = 0; i < best_.size(); ++i) best_[i] = std::max(best_[i], results[i]);
  const std::string open = edge::unbounded_text(program);
  if (!open.empty()) still_open_ += (still_open_.empty() ? "" : ", ") + open;
}

void BoundsByHand::check_all_applied() const {
  Problems problems;
  for (std::size_t i = 0; i < best_.size(); ++i)
    problems.collect([&] { check_applied(bounds_[i], best_[i], still_open_); });
  problems.throw_if_any();
}

}  // namespace ptec
