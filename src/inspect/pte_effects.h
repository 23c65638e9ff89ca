// What an instruction reads and what it writes.
#pragma once

#include <cstdint>
#include <vector>

#include "inspect/facts.h"
#include "pte/pte.h"

namespace ptec::inspect {

/// Value indices in the order of the call. A kernel's out arguments and the repetition of its
/// result are both `writes`, once; a list of results is given by its members.
struct PteEffects {
  std::vector<std::int32_t> reads;
  std::vector<std::int32_t> writes;
  /// Arguments of a delegate that does not say how many of them are inputs.
  std::vector<std::int32_t> either;
};

PteEffects effects_of(const PtePlan& plan,
                      const std::vector<PteDelegateFacts>& delegates,
                      const PteInstruction& instruction);

/// For every value, whether its bytes are only known when the method runs: it is an input, or some
/// instruction may write it.
std::vector<bool> computed_values(const PtePlan& plan,
                                  const std::vector<PteDelegateFacts>& delegates);

/// Tensors that keep their bytes from one run to the next (mutable buffers), in the order of their
/// indices: named ones, those with a place in an arena and an initial value, and those in an arena
/// that are read before anything writes them.
std::vector<std::uint32_t> state_values(const PtePlan& plan,
                                        const std::vector<PteDelegateFacts>& delegates);

}  // namespace ptec::inspect
