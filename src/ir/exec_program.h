// A program on its way to instructions: what the runtime is told of its tensors, and where they
// lie.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/delegate.h"
#include "ir/edge_program.h"
#include "ir/program.h"

namespace ptec {

enum class SpecId : std::uint32_t {};
inline constexpr SpecId kNoSpec = static_cast<SpecId>(0xFFFFFFFFu);

/// A tensor as the runtime sees it. Getitems share the spec of the element that they take.
struct TensorSpec {
  ScalarType dtype = ScalarType::Float32;
  std::vector<Dim> sizes;  // symbolic until the upper-bound pass
  std::vector<Dim> strides;
  std::vector<std::uint8_t> dim_order;  // outermost first
  bool dynamic = false;                 // DYNAMIC_BOUND
  bool constant = false;
  bool requires_grad = false;
  std::optional<std::int64_t> cuda_index;  // set: lives on that CUDA device
  std::string constant_fqn;                // constant: key in Program::tensors
  SpecId view_base = kNoSpec;              // shares the storage of that spec
  std::uint32_t memory_id = 0;             // 0 until planned
  std::uint64_t memory_offset_bytes = 0;
};

/// One planned piece of memory. Arena 0 is reserved and empty.
struct Arena {
  std::uint64_t size_bytes = 0;
  std::optional<std::int64_t> cuda_index;  // set: on that device
};

/// Has a copy of its own of everything, so that an EdgeProgram can be lowered again.
class ExecProgram {
 public:
  explicit ExecProgram(Program lowered, std::vector<Delegate> called = {})
      : program(std::move(lowered)), delegates(std::move(called)) {}
  explicit ExecProgram(EdgeProgram edge)
      : ExecProgram(std::move(edge.program), std::move(edge.delegates)) {}

  Program program;
  std::vector<Delegate> delegates;
  std::vector<TensorSpec> specs;
  std::vector<Arena> arenas;

  TensorSpec& spec(SpecId id) { return specs[static_cast<std::size_t>(id)]; }
  const TensorSpec& spec(SpecId id) const { return specs[static_cast<std::size_t>(id)]; }
  SpecId add_spec(TensorSpec spec);
  /// The spec whose memory this one shows: itself unless it is a view.
  SpecId storage_of(SpecId id) const;

  /// Specs of what a node gives: one for a tensor, one an element for a list (kNoSpec for what is
  /// no tensor), none for anything else.
  const std::vector<SpecId>& specs_of(const Graph& graph, NodeId node) const;
  void set_specs(const Graph& graph, NodeId node, std::vector<SpecId> given);
  void clear_specs();

 private:
  std::vector<std::vector<std::vector<SpecId>>> by_node_;  // by graph, then by node
};

}  // namespace ptec
