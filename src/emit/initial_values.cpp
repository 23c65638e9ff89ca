#include "emit/initial_values.h"

#include <algorithm>
#include <set>

#include "emit/constants.h"
#include "ir/mutations.h"
#include "support/payload_reader.h"

namespace ptec::emit {
namespace {

/// Checked, since what is all zeros is not looked at again.
bool all_zeros(const Payload& payload, RecordSums& sums) {
  PayloadReader reader(payload, sums);
  for (Bytes chunk = reader.next(); !chunk.empty(); chunk = reader.next()) {
    const bool zeros = std::all_of(
        chunk.begin(), chunk.end(), [](std::byte byte) { return byte == std::byte{0}; });
    if (!zeros) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string> buffers_with_lost_values(const Program& program) {
  const std::set<std::string, std::less<>> mutated = mutated_buffers(program);
  std::vector<std::string> lost;
  RecordSums sums;
  for (const InputSpec& input : program.inputs) {
    if (input.kind != InputKind::Buffer || !mutated.contains(input.target)) continue;
    const auto data = program.tensors.find(input.target);
    if (data != program.tensors.end() && !all_zeros(dense_bytes(data->second), sums))
      lost.push_back(input.target);
  }
  return lost;
}

}  // namespace ptec::emit
