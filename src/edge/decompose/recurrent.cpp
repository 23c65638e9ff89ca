// Recurrent layers and cells, unrolled over the steps of a sequence.
//
// Source: torch 2.14, torch/_decomp/decompositions.py, _rnn_helper and what it calls, and
// aten/src/ATen/native/RNN.cpp for single cells. Packed sequences, whose number of steps is data,
// have no rule.
#include <algorithm>
#include <utility>

#include "edge/decompose/rules.h"

namespace ptec::edge {
namespace {

using Nodes = Builder::Nodes;

/// The operands of one layer in one direction. The biases and the projection may be missing.
struct Weights {
  NodeId input = kNoNode;
  NodeId hidden = kNoNode;
  NodeId input_bias = kNoNode;
  NodeId hidden_bias = kNoNode;
  NodeId projection = kNoNode;
};

/// One tensor, and for an LSTM the cell's.
struct State {
  NodeId hidden = kNoNode;
  NodeId cell = kNoNode;
};

/// What one step makes of its input, multiplied with the weights already, and the state.
using Cell = State (*)(const Rewrite&, NodeId input, const State& state, const Weights& weights);

NodeId linear(const Rewrite& r, NodeId x, NodeId weight, NodeId bias) {
  std::vector<Argument> args = {x, weight};
  if (bias != kNoNode) args.emplace_back(bias);
  return r.op("linear.default", std::move(args));
}

NodeId add(const Rewrite& r, NodeId a, NodeId b) { return r.op("add.Tensor", {a, b}); }
NodeId multiply(const Rewrite& r, NodeId a, NodeId b) { return r.op("mul.Tensor", {a, b}); }
NodeId sigmoid(const Rewrite& r, NodeId x) { return r.op("sigmoid.default", {x}); }
NodeId tanh(const Rewrite& r, NodeId x) { return r.op("tanh.default", {x}); }

Nodes chunks(const Rewrite& r, NodeId x, std::int64_t count, std::int64_t dim) {
  return r.b.calls("aten::chunk.default", {x, count, dim});
}

Nodes steps_of(const Rewrite& r, NodeId x) {
  return r.b.calls("aten::unbind.int", {x, std::int64_t{0}});
}

std::int64_t last_dim(const Rewrite& r, NodeId x) {
  return static_cast<std::int64_t>(r.b.rank(x)) - 1;
}

State lstm_state(const Rewrite& r, NodeId gates, NodeId cell) {
  const Nodes parts = chunks(r, gates, 4, last_dim(r, gates));
  const NodeId in = sigmoid(r, parts.at(0));
  const NodeId forget = sigmoid(r, parts.at(1));
  const NodeId candidate = tanh(r, parts.at(2));
  const NodeId out = sigmoid(r, parts.at(3));
  const NodeId kept = multiply(r, forget, cell);
  const NodeId next = add(r, kept, multiply(r, in, candidate));
  return {multiply(r, out, tanh(r, next)), next};
}

State lstm_step(const Rewrite& r, NodeId input, const State& state, const Weights& weights) {
  const NodeId turned = linear(r, state.hidden, weights.hidden, weights.hidden_bias);
  State next = lstm_state(r, add(r, turned, input), state.cell);
  if (weights.projection != kNoNode)
    next.hidden = linear(r, next.hidden, weights.projection, kNoNode);
  return next;
}

NodeId gru_state(const Rewrite& r, const Nodes& input, const Nodes& turned, NodeId hidden) {
  const NodeId reset = sigmoid(r, add(r, turned.at(0), input.at(0)));
  const NodeId keep = sigmoid(r, add(r, turned.at(1), input.at(1)));
  const NodeId wanted = multiply(r, turned.at(2), reset);
  const NodeId fresh = tanh(r, add(r, input.at(2), wanted));
  const NodeId difference = r.op("sub.Tensor", {hidden, fresh});
  return add(r, multiply(r, difference, keep), fresh);
}

State gru_step(const Rewrite& r, NodeId input, const State& state, const Weights& weights) {
  const Nodes parts = chunks(r, input, 3, last_dim(r, input));
  const NodeId turned = linear(r, state.hidden, weights.hidden, weights.hidden_bias);
  return {gru_state(r, parts, chunks(r, turned, 3, last_dim(r, turned)), state.hidden), kNoNode};
}

NodeId simple_sum(const Rewrite& r, NodeId input, const State& state, const Weights& weights) {
  return add(r, linear(r, state.hidden, weights.hidden, weights.hidden_bias), input);
}

State tanh_step(const Rewrite& r, NodeId input, const State& state, const Weights& weights) {
  return {tanh(r, simple_sum(r, input, state, weights)), kNoNode};
}

State relu_step(const Rewrite& r, NodeId input, const State& state, const Weights& weights) {
  return {r.op("relu.default", {simple_sum(r, input, state, weights)}), kNoNode};
}

/// One call of a recurrent layer, as its operator gives it.
struct Layers {
  NodeId input;
  std::vector<Weights> weights;  // forward, and backward where there is that
  bool both_directions;
  bool batch_first;
};

Weights weights_of(const Nodes& given, bool has_biases, bool has_projection) {
  Weights out{given.at(0), given.at(1), kNoNode, kNoNode, kNoNode};
  if (has_biases) {
    out.input_bias = given.at(2);
    out.hidden_bias = given.at(3);
  }
  if (has_projection) out.projection = given.back();
  return out;
}

/// None where the layer drops out at random, the number of steps is not known, or there are other
/// weights than its layers need.
std::optional<Layers> layers_of(const Rewrite& r, bool has_projection) {
  Layers out{r.args.node(0, "input"),
             {},
             r.args.flag_or(7, "bidirectional", false),
             r.args.flag_or(8, "batch_first", false)};
  if (r.args.flag_or(6, "train", false) && r.args.number_or(5, "dropout", 0) != 0) return {};
  const std::vector<Dim>& sizes = r.b.sizes(out.input);
  if (sizes.size() != 3) return {};
  const Dim& count = sizes[out.batch_first ? 1 : 0];
  if (!count.is_number() || count.number() < 1) return {};
  const bool has_biases = r.args.flag_or(3, "has_biases", true);
  const std::size_t each = 2u + (has_biases ? 2u : 0u) + (has_projection ? 1u : 0u);
  const Nodes given = r.args.nodes(2, "params");
  const std::int64_t layers = r.args.integer(4, "num_layers");
  const std::size_t directions = out.both_directions ? 2 : 1;
  if (layers < 1 || given.size() % (each * directions) != 0 ||
      static_cast<std::uint64_t>(layers) != given.size() / (each * directions))
    return {};
  for (auto from = given.begin(); from != given.end(); from += static_cast<std::ptrdiff_t>(each)) {
    const Nodes own(from, from + static_cast<std::ptrdiff_t>(each));
    out.weights.push_back(weights_of(own, has_biases, has_projection));
  }
  return out;
}

struct Sequence {
  NodeId steps;
  State last;
};

Sequence run_layer(
    const Rewrite& r, NodeId x, State state, const Weights& weights, Cell cell, bool backward) {
  const bool has_cell = state.cell != kNoNode;
  // An LSTM's state gets its dimension before the input is multiplied, that of the others after.
  if (has_cell) state = {unsqueeze(r, state.hidden, 0), unsqueeze(r, state.cell, 0)};
  NodeId input = linear(r, x, weights.input, weights.input_bias);
  if (backward) input = r.op("flip.default", {input, Builder::integers({0})});
  if (!has_cell) state.hidden = unsqueeze(r, state.hidden, 0);
  Nodes steps;
  for (const NodeId step : steps_of(r, input)) {
    state = cell(r, step, state, weights);
    steps.push_back(state.hidden);
  }
  if (backward) std::reverse(steps.begin(), steps.end());
  const NodeId joined = r.op("cat.default", {Builder::tensors(steps)});
  State last{r.op("squeeze.dim", {state.hidden, std::int64_t{0}}), kNoNode};
  if (has_cell) last.cell = r.op("squeeze.dim", {state.cell, std::int64_t{0}});
  return {joined, last};
}

/// All layers; the outputs of the last one, then the last states.
Results run_layers(const Rewrite& r,
                   const Layers& layers,
                   const std::vector<State>& first,
                   Cell cell) {
  NodeId x = layers.input;
  if (layers.batch_first) x = transpose(r, x, 0, 1);
  Nodes hidden;
  Nodes cells;
  const std::size_t directions = layers.both_directions ? 2 : 1;
  for (std::size_t i = 0; i < layers.weights.size(); i += directions) {
    Nodes outputs;
    for (std::size_t direction = 0; direction < directions; ++direction) {
      const std::size_t at = i + direction;
      const Sequence done = run_layer(r, x, first.at(at), layers.weights[at], cell, direction == 1);
      outputs.push_back(done.steps);
      hidden.push_back(done.last.hidden);
      if (done.last.cell != kNoNode) cells.push_back(done.last.cell);
    }
    x = outputs[0];
    if (layers.both_directions)
      x = r.op("cat.default", {Builder::tensors(outputs), last_dim(r, outputs[0])});
  }
  if (layers.batch_first) x = transpose(r, x, 0, 1);
  Results out = {x, r.op("stack.default", {Builder::tensors(hidden)})};
  if (!cells.empty()) out.push_back(r.op("stack.default", {Builder::tensors(cells)}));
  return out;
}

/// Whether there is a first state for each layer and direction.
bool fits(const Rewrite& r, NodeId state, const Layers& layers) {
  const std::vector<Dim>& sizes = r.b.sizes(state);
  return sizes.size() == 3 && is_number(sizes[0], static_cast<std::int64_t>(layers.weights.size()));
}

Results unrolled(const Rewrite& r, Cell cell) {
  const NodeId state = r.args.node(1, "hx");
  const std::optional<Layers> layers = layers_of(r, false);
  if (!layers || !fits(r, state, *layers)) return {};
  std::vector<State> first;
  for (const NodeId each : steps_of(r, state)) first.push_back({each, kNoNode});
  return run_layers(r, *layers, first, cell);
}

Results gru(const Rewrite& r) { return unrolled(r, gru_step); }
Results rnn_tanh(const Rewrite& r) { return unrolled(r, tanh_step); }
Results rnn_relu(const Rewrite& r) { return unrolled(r, relu_step); }

Results lstm(const Rewrite& r) {
  const Nodes states = r.args.nodes(1, "hx");
  if (states.size() != 2 || r.b.rank(states[0]) != 3 || r.b.rank(states[1]) != 3) return {};
  const bool has_projection = r.b.sizes(states[0])[2] != r.b.sizes(states[1])[2];
  const std::optional<Layers> layers = layers_of(r, has_projection);
  if (!layers || !fits(r, states[0], *layers) || !fits(r, states[1], *layers)) return {};
  const Nodes hidden = steps_of(r, states[0]);
  const Nodes cells = steps_of(r, states[1]);
  std::vector<State> first;
  for (std::size_t i = 0; i < hidden.size(); ++i) first.push_back({hidden[i], cells[i]});
  return run_layers(r, *layers, first, lstm_step);
}

NodeId find_bias(const Rewrite& r, std::size_t index, std::string_view name) {
  return r.args.has(index, name) ? r.args.node(index, name) : kNoNode;
}

Weights cell_weights(const Rewrite& r) {
  return {r.args.node(2, "w_ih"),
          r.args.node(3, "w_hh"),
          find_bias(r, 4, "b_ih"),
          find_bias(r, 5, "b_hh"),
          kNoNode};
}

Results lstm_cell(const Rewrite& r) {
  const Nodes state = r.args.nodes(1, "hx");
  if (state.size() != 2) return {};
  const Weights weights = cell_weights(r);
  const NodeId turned = linear(r, state[0], weights.hidden, weights.hidden_bias);
  const NodeId input = linear(r, r.args.node(0, "input"), weights.input, weights.input_bias);
  const State next = lstm_state(r, add(r, turned, input), state[1]);
  return {next.hidden, next.cell};
}

Results gru_cell(const Rewrite& r) {
  const NodeId hidden = r.args.node(1, "hx");
  const Weights weights = cell_weights(r);
  const NodeId input = linear(r, r.args.node(0, "input"), weights.input, weights.input_bias);
  const Nodes parts = chunks(r, input, 3, last_dim(r, input));
  const NodeId turned = linear(r, hidden, weights.hidden, weights.hidden_bias);
  return {gru_state(r, parts, chunks(r, turned, 3, last_dim(r, turned)), hidden)};
}

NodeId simple_cell_sum(const Rewrite& r) {
  const Weights weights = cell_weights(r);
  const NodeId turned = linear(r, r.args.node(1, "hx"), weights.hidden, weights.hidden_bias);
  const NodeId input = linear(r, r.args.node(0, "input"), weights.input, weights.input_bias);
  return add(r, turned, input);
}

Results rnn_tanh_cell(const Rewrite& r) { return {tanh(r, simple_cell_sum(r))}; }
Results rnn_relu_cell(const Rewrite& r) { return {r.op("relu.default", {simple_cell_sum(r)})}; }

constexpr DecomposeRule kRules[] = {
    {"aten::lstm.input", lstm},
    {"aten::gru.input", gru},
    {"aten::rnn_tanh.input", rnn_tanh},
    {"aten::rnn_relu.input", rnn_relu},
    {"aten::lstm_cell.default", lstm_cell},
    {"aten::gru_cell.default", gru_cell},
    {"aten::rnn_tanh_cell.default", rnn_tanh_cell},
    {"aten::rnn_relu_cell.default", rnn_relu_cell},
};

}  // namespace

Rows<DecomposeRule> recurrent_rules() { return {kRules, std::size(kRules)}; }

}  // namespace ptec::edge
