#include "emit/initial_values.h"

#include <algorithm>
#include <set>

#include "emit/constants.h"
#include "ir/mutations.h"

namespace ptec::emit {
namespace {

bool all_zeros(const Payload& payload) {
  PayloadReader reader(payload, PayloadReader::Check::None);
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
  for (const InputSpec& input : program.inputs) {
    if (input.kind != InputKind::Buffer || !mutated.contains(input.target)) continue;
    const auto data = program.tensors.find(input.target);
    if (data != program.tensors.end() && !all_zeros(dense_bytes(data->second)))
      lost.push_back(input.target);
  }
  return lost;
}

}  // namespace ptec::emit
