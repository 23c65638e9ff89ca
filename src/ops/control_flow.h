// What a node of control flow runs, and what its graphs are given.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"

namespace ptec::edge {

enum class ControlFlowKind : std::uint8_t {
  Cond,   // cond(predicate, then, else, [shared])
  Map,    // map_impl(body, [sliced], [shared])
  Scan,   // scan(body, [carried], [sliced], [shared])
  While,  // while_loop(condition, body, [carried], [shared])
};

/// A node of control flow taken apart; it borrows from the node. Every graph has one input for each
/// carried operand, then one for each sliced one (of which it sees one index of dimension 0 a
/// turn), then one for each shared one. A body returns the next carried values, then what is
/// stacked over the turns.
struct ControlFlow {
  ControlFlowKind kind = ControlFlowKind::Cond;
  const Argument* predicate = nullptr;  // Cond
  std::vector<Graph*> graphs;           // Cond: then, else. While: condition, body. Else: body
  Argument::List carried;
  Argument::List sliced;
  Argument::List shared;

  std::size_t operand_count() const { return carried.size() + sliced.size() + shared.size(); }
  /// The operand behind a graph's input, by the input's place.
  const Argument& operand(std::size_t index) const;
  /// The graph whose results the node returns; of a Cond the first of two.
  const Graph& body() const { return *graphs[kind == ControlFlowKind::While ? 1 : 0]; }
};

bool is_control_flow(std::string_view target);

/// Takes a node of control flow apart. Nothing when its target is none, or when it does not have
/// the arguments that the target has.
std::optional<ControlFlow> find_control_flow(const Node& node);

/// What keeps the node from being lowered, empty when nothing does: operands and results that are
/// no tensors, graphs that take or return something else than the node says, a loop over nothing,
/// carried values that change places. Needs is_control_flow(node.target).
std::string problem_with_control_flow(const Graph& graph, const Node& node);

/// The results of a graph of control flow.
const Argument::List& results_of(const Graph& graph);

}  // namespace ptec::edge
