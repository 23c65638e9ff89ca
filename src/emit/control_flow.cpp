#include "emit/control_flow.h"

#include <utility>

#include "support/error.h"

namespace ptec::emit {
namespace {

class Writer {
 public:
  Writer(const MethodWriter& writer, const ControlFlowCall& call) : writer_(writer), call_(call) {}

  /// Then-branch, a jump that is always taken, else-branch.
  void cond() {
    const std::size_t to_else = jump_if_false(call_.predicate);
    std::vector<ValueIndex> inputs = call_.operands;
    hand_over(writer_.emit_graph(call_.flow.graphs[0], inputs));
    const std::size_t to_end = jump_if_false(kNewValue);
    land(to_else);
    inputs = call_.operands;
    hand_over(writer_.emit_graph(call_.flow.graphs[1], inputs));
    jump_at(to_end).condition = writer_.add_value(false);
    land(to_end);
  }

  /// `map` and `scan`: a turn for each index of dimension 0.
  void loop_over_slices() {
    const edge::ControlFlow& flow = call_.flow;
    const ValueIndex turn = writer_.add_value(std::int64_t{0});
    const std::int32_t sym_size = writer_.operator_index("aten::sym_size.int");
    const ValueIndex count = writer_.add_value(std::int64_t{0});
    const ValueIndex dim = writer_.add_value(std::int64_t{0});
    write(sym_size, {call_.operands[flow.carried.size()], dim, count});
    if (flow.kind == edge::ControlFlowKind::Scan) writer_.operator_index("aten::copy_.default");
    for (std::size_t i = 0; i < flow.carried.size(); ++i) copy_carried(i, call_.operands[i]);

    const std::int32_t select = writer_.operator_index("aten::select_copy.int_out");
    const std::size_t start = call_count();
    for (std::size_t i = 0; i < flow.sliced.size(); ++i) {
      const ValueIndex source = call_.operands[flow.carried.size() + i];
      write(select, {source, writer_.add_value(std::int64_t{0}), turn, kNewValue, kNewValue});
    }
    std::vector<ValueIndex> inputs = body_inputs();
    const std::vector<ValueIndex> outputs = writer_.emit_graph(flow.body(), inputs);
    for (std::size_t i = 0; i < flow.sliced.size(); ++i) {
      auto& slice = std::get<KernelCall>(writer_.method.instructions[start + i]);
      slice.args[3] = slice.args[4] = inputs[flow.carried.size() + i];
    }
    for (std::size_t i = 0; i < flow.carried.size(); ++i) copy_carried(i, outputs[i]);
    stack_results(outputs, turn);
    next_turn(turn, count, start);
  }

  /// A turn for as long as the condition holds, none if it never does.
  void loop_while() {
    const std::size_t carried = call_.flow.carried.size();
    for (std::size_t i = 0; i < carried; ++i) copy(call_.results[i], call_.operands[i]);
    const std::size_t start = call_count();
    std::vector<ValueIndex> inputs = body_inputs();
    const std::vector<ValueIndex> holds = writer_.emit_graph(call_.flow.graphs[0], inputs);
    const std::size_t to_end = jump_if_false(holds.at(0));
    inputs = body_inputs();
    const std::vector<ValueIndex> outputs = writer_.emit_graph(call_.flow.body(), inputs);
    for (std::size_t i = 0; i < carried; ++i) copy(call_.results[i], outputs[i]);
    jump_at(jump_if_false(writer_.add_value(false))).destination = static_cast<std::int32_t>(start);
    land(to_end);
  }

 private:
  std::size_t call_count() const { return writer_.method.instructions.size(); }

  void write(std::int32_t operator_index, std::vector<ValueIndex> args) {
    writer_.method.instructions.emplace_back(KernelCall{operator_index, std::move(args)});
  }

  std::size_t jump_if_false(ValueIndex condition) {
    writer_.method.instructions.emplace_back(JumpFalseCall{condition, 0});
    return call_count() - 1;
  }
  JumpFalseCall& jump_at(std::size_t index) {
    return std::get<JumpFalseCall>(writer_.method.instructions[index]);
  }
  /// The jump goes to the next instruction.
  void land(std::size_t jump) {
    jump_at(jump).destination = static_cast<std::int32_t>(call_count());
  }

  /// Carried values live in the results; slices are new values.
  std::vector<ValueIndex> body_inputs() const {
    std::vector<ValueIndex> inputs = call_.operands;
    const std::size_t carried = call_.flow.carried.size();
    for (std::size_t i = 0; i < carried; ++i) inputs[i] = call_.results[i];
    for (std::size_t i = 0; i < call_.flow.sliced.size(); ++i) inputs[carried + i] = kNewValue;
    return inputs;
  }

  /// A branch's results become the node's.
  void hand_over(const std::vector<ValueIndex>& outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (call_.copied[i]) {
        copy(call_.results[i], outputs[i]);
      } else if (outputs[i] != call_.results[i]) {
        writer_.method.instructions.emplace_back(MoveCall{outputs[i], call_.results[i]});
      }
    }
  }

  /// Copies and gives the target the source's size, which `aten::copy_` does not.
  void copy(ValueIndex target, ValueIndex source) {
    if (target == source) return;
    const std::int32_t clone = writer_.operator_index("dim_order_ops::_clone_dim_order.out");
    const ValueIndex non_blocking = writer_.add_value(false);
    const ValueIndex dim_order = writer_.add_value(None{});
    write(clone, {source, non_blocking, dim_order, target, target});
  }

  /// As the reference does, but for a size that only the run tells: there `aten::copy_` fails.
  void copy_carried(std::size_t index, ValueIndex source) {
    const ValueIndex target = call_.results[index];
    if (call_.resized[index] || target == source) return copy(target, source);
    const std::int32_t in_place = writer_.operator_index("aten::copy_.default");
    write(in_place, {target, source, writer_.add_value(false), target});
  }

  void stack_results(const std::vector<ValueIndex>& outputs, ValueIndex turn) {
    const std::int32_t copy_index = writer_.operator_index("executorch_prim::et_copy_index.tensor");
    for (std::size_t i = call_.flow.carried.size(); i < outputs.size(); ++i) {
      if (call_.resized[i]) start_stack(call_.results[i], outputs[i], turn);
      write(copy_index, {call_.results[i], outputs[i], turn});
    }
  }

  /// `et_copy_index` grows dimension 0 only, and wants the others as they are in a turn's value. So
  /// in the first turn the stack is made from that.
  void start_stack(ValueIndex stack, ValueIndex value, ValueIndex turn) {
    const ValueIndex zero = writer_.add_value(std::int64_t{0});
    const ValueIndex first = writer_.add_value(false);
    write(writer_.operator_index("executorch_prim::eq.Scalar"), {turn, zero, first});
    const std::size_t skip = jump_if_false(first);
    const ValueIndex dim = writer_.add_value(std::int64_t{0});
    write(writer_.operator_index("aten::unsqueeze_copy.out"), {value, dim, stack, stack});
    land(skip);
  }

  /// Counts the turn, and goes back to `start` until there have been `count`; then the counter is 0
  /// again for the next run of the method.
  void next_turn(ValueIndex turn, ValueIndex count, std::size_t start) {
    const std::int32_t add = writer_.operator_index("executorch_prim::add.Scalar");
    write(add, {turn, writer_.add_value(std::int64_t{1}), turn});
    const ValueIndex done = writer_.add_value(false);
    write(writer_.operator_index("executorch_prim::eq.Scalar"), {turn, count, done});
    jump_at(jump_if_false(done)).destination = static_cast<std::int32_t>(start);
    write(writer_.operator_index("executorch_prim::sub.Scalar"), {turn, count, turn});
  }

  const MethodWriter& writer_;
  const ControlFlowCall& call_;
};

}  // namespace

void emit_control_flow(const MethodWriter& writer, const ControlFlowCall& call) {
  Writer out(writer, call);
  switch (call.flow.kind) {
    case edge::ControlFlowKind::Cond:
      return out.cond();
    case edge::ControlFlowKind::Map:
    case edge::ControlFlowKind::Scan:
      return out.loop_over_slices();
    case edge::ControlFlowKind::While:
      return out.loop_while();
  }
}

}  // namespace ptec::emit
