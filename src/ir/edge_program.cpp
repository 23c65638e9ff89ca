#include "ir/edge_program.h"

#include "support/error.h"

namespace ptec {

const Delegate& delegate_of(const std::vector<Delegate>& delegates, const Node& call) {
  const std::int64_t index = std::get<std::int64_t>(call.args.at(0).v);
  PTEC_INVARIANT(index >= 0 && static_cast<std::size_t>(index) < delegates.size(),
                 "'" + call.name + "' calls a delegate that the program has not");
  return delegates[static_cast<std::size_t>(index)];
}

}  // namespace ptec
