// What became of the sizes that the caller bounded.
#pragma once

#include <string>
#include <vector>

#include "edge/max_sizes.h"
#include "ir/program.h"
#include "ptec/export.h"

namespace ptec {

/// Over all methods: a bound has to be of use in one of them.
class BoundsByHand {
 public:
  /// Borrows `bounds`.
  explicit BoundsByHand(const std::vector<SizeBound>& bounds);

  void note(const Program& program, const std::vector<edge::MaxSizeResult>& results);

  /// Throws InvalidArgument, with a line for each bound that no method has a use for.
  void check_all_applied() const;

 private:
  const std::vector<SizeBound>& bounds_;
  std::vector<edge::MaxSizeResult> best_;
  std::string still_open_;
};

}  // namespace ptec
