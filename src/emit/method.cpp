#include "emit/method.h"

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "emit/constants.h"
#include "emit/container_text.h"
#include "emit/control_flow.h"
#include "ir/targets.h"
#include "ops/ops.h"
#include "plan/overwritten.h"
#include "support/error.h"

namespace ptec::emit {
namespace {

constexpr std::int64_t kMemoryFormatContiguous = 1;  // torch.export's numbers
constexpr std::int64_t kMemoryFormatPreserve = 4;
constexpr std::string_view kEtView = "executorch_prim::et_view.default";

class Emitter {
 public:
  Emitter(const ExecProgram& exec,
          DataTable& constants,
          DataTable* initial_values,
          ExternalTable* external)
      : exec_(exec),
        program_(exec.program),
        constants_(constants),
        initial_values_(initial_values),
        external_(external),
        graph_(&exec.program.graph),
        by_spec_(exec.specs.size(), kNone),
        by_node_(exec.program.graph.id_bound(), kNone) {}

  Method run() {
    method_.name = program_.name;
    method_.exec = &exec_;
    method_.input_tree = container_text(program_.input_tree);
    method_.output_tree = container_text(program_.output_tree);
    std::map<NodeId, const InputSpec*> inputs;
    for (const InputSpec& input : program_.inputs) inputs.emplace(input.node, &input);
    for (NodeId id = program_.graph.first(); id != kNoNode; id = program_.graph.at(id).next()) {
      const Node& node = graph_->at(id);
      const Breadcrumb here = Breadcrumb::of_node(node.name, node.target);
      switch (node.kind) {
        case NodeKind::Placeholder:
          emit_placeholder(id, *inputs.at(id));
          break;
        case NodeKind::Call:
          emit_call(id);
          break;
        case NodeKind::Output:
          emit_outputs(node);
          break;
      }
    }
    return std::move(method_);
  }

 private:
  static constexpr ValueIndex kNone = -1;

  ValueIndex add(EValue value) {
    if (method_.values.size() >= static_cast<std::size_t>(std::numeric_limits<ValueIndex>::max())) {
      fail(ErrorCode::Limit, "the method has more than 2^31 values");
    }
    method_.values.push_back(std::move(value));
    return static_cast<ValueIndex>(method_.values.size() - 1);
  }

  ValueIndex tensor_value(SpecId spec) {
    ValueIndex& index = by_spec_[static_cast<std::size_t>(spec)];
    if (index == kNone) index = add(TensorValue{spec, 0, {}});
    return index;
  }

  ValueIndex value_of(NodeId id) {
    const Node& node = graph_->at(id);
    const std::vector<SpecId>& specs = exec_.specs_of(*graph_, id);
    if (specs.size() == 1 && specs[0] != kNoSpec) return tensor_value(specs[0]);
    const ValueIndex index = by_node_[static_cast<std::size_t>(id)];
    PTEC_INVARIANT(index != kNone, "'" + node.name + "' has no value");
    return index;
  }

  ValueIndex input_literal(const Argument& constant) {
    if (const auto* flag = std::get_if<bool>(&constant.v)) return add(*flag);
    if (const auto* number = std::get_if<std::int64_t>(&constant.v)) return add(*number);
    if (const auto* real = std::get_if<double>(&constant.v)) return add(*real);
    return add(None{});
  }

  void emit_placeholder(NodeId id, const InputSpec& input) {
    const Node& node = graph_->at(id);
    ValueIndex index = kNone;
    if (const std::vector<SpecId>& specs = exec_.specs_of(*graph_, id); !specs.empty()) {
      const SpecId spec = specs[0];
      if (exec_.spec(spec).constant) {
        const Breadcrumb here("constant", input.target);
        const TensorData& data = program_.tensors.find(input.target)->second;
        index = by_spec_[static_cast<std::size_t>(spec)] =
            add(constant_value(node, input.target, spec, dense_bytes(data)));
      } else if (input.kind == InputKind::Buffer) {
        const Breadcrumb here("buffer", input.target);
        index = by_spec_[static_cast<std::size_t>(spec)] =
            add(TensorValue{spec, initial_value(input.target, spec), {}});
      } else {
        index = tensor_value(spec);
      }
    } else {
      index = input_literal(input.constant);
    }
    by_node_[static_cast<std::size_t>(id)] = index;
    if (input.kind == InputKind::UserInput || input.kind == InputKind::ConstantInput)
      method_.inputs.push_back(index);
  }

  /// Literals of the program's text stay in it: they are closer to code than to data.
  TensorValue constant_value(const Node& node,
                             const std::string& name,
                             SpecId spec,
                             const Payload& bytes) {
    if (external_ != nullptr && node.name.find("_lifted_tensor") == std::string::npos) {
      const auto tag = external_->file_for(method_.name, name, bytes.size_bytes());
      if (tag) return {spec, external_->add(*tag, name, exec_.spec(spec), bytes), name};
    }
    return {spec, constants_.add(bytes) + 1, {}};
  }

  /// 0 when the buffer starts undefined. The runtime fills host memory only.
  std::uint32_t initial_value(const std::string& buffer, SpecId spec) {
    if (initial_values_ == nullptr || exec_.spec(spec).cuda_index) return 0;
    const Payload bytes = dense_bytes(program_.tensors.find(buffer)->second);
    return bytes.size_bytes() == 0 ? 0 : initial_values_->add(bytes) + 1;
  }

  void emit_call(NodeId id) {
    const Node& node = graph_->at(id);
    if (node.target == kGetItem) return;
    if (node.target == kConstant) {
      emit_constant(id);
    } else if (node.target == kAlloc) {
      tensor_value(exec_.specs_of(*graph_, id).at(0));
    } else if (node.target == kView) {
      emit_view(id);
    } else if (const auto flow = edge::find_control_flow(node)) {
      emit_jumps(id, *flow);
    } else if (node.target == kDelegateCall) {
      emit_delegate(id);
    } else {
      emit_kernel(id);
    }
  }

  /// A number of the text of a graph of control flow.
  void emit_constant(NodeId id) {
    const SpecId spec = exec_.specs_of(*graph_, id).at(0);
    const std::string& name = exec_.spec(spec).constant_fqn;
    const Breadcrumb here("constant", name);
    const Payload bytes = dense_bytes(program_.tensors.find(name)->second);
    by_spec_[static_cast<std::size_t>(spec)] =
        add(TensorValue{spec, constants_.add(bytes) + 1, {}});
  }

  void emit_jumps(NodeId id, const edge::ControlFlow& flow) {
    if (!overwritten_) overwritten_ = plan::find_overwritten_results(exec_);
    ControlFlowCall call{flow, kNone, {}, {}, {}, {}};
    const std::vector<SpecId>& specs = exec_.specs_of(*graph_, id);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      call.results.push_back(tensor_value(specs[i]));
      call.copied.push_back(overwritten_->contains(specs[i]));
      const Graph& body = program_.graph_of(flow.body());
      const NodeId returned = *edge::results_of(body)[i].node();
      call.resized.push_back(exec_.spec(exec_.specs_of(body, returned).at(0)).dynamic);
    }
    const auto value = [this](const Argument& argument) {
      return argument.node() != nullptr ? value_of(*argument.node()) : literal(argument);
    };
    if (flow.predicate != nullptr) call.predicate = value(*flow.predicate);
    for (std::size_t i = 0; i < flow.operand_count(); ++i)
      call.operands.push_back(value(flow.operand(i)));
    const MethodWriter writer{method_,
                              [this](EValue item) { return add(std::move(item)); },
                              [this](std::string_view target) { return operator_index(target); },
                              [this](GraphId graph, std::vector<ValueIndex>& inputs) {
                                return emit_inner_graph(program_.graph_of(graph), inputs);
                              }};
    emit_control_flow(writer, call);
  }

  std::vector<ValueIndex> emit_inner_graph(const Graph& graph, std::vector<ValueIndex>& inputs) {
    const Graph* const outer = std::exchange(graph_, &graph);
    std::vector<ValueIndex> outer_values =
        std::exchange(by_node_, std::vector<ValueIndex>(graph.id_bound(), kNone));
    std::vector<ValueIndex> results;
    std::size_t input = 0;
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next()) {
      const Node& node = graph.at(id);
      const Breadcrumb here = Breadcrumb::of_node(node.name, node.target);
      if (node.kind == NodeKind::Placeholder) {
        bind_input(id, inputs.at(input++));
      } else if (node.kind == NodeKind::Call) {
        emit_call(id);
      } else {
        for (const Argument& result : edge::results_of(graph))
          results.push_back(value_of(*result.node()));
      }
    }
    graph_ = outer;
    by_node_ = std::move(outer_values);
    return results;
  }

  /// An input of a graph of control flow is the operand's value, or a new one.
  void bind_input(NodeId id, ValueIndex& value) {
    const std::vector<SpecId>& specs = exec_.specs_of(*graph_, id);
    if (value == kNewValue) value = add(TensorValue{specs.at(0), 0, {}});
    if (!specs.empty()) by_spec_[static_cast<std::size_t>(specs[0])] = value;
    by_node_[static_cast<std::size_t>(id)] = value;
  }

  void emit_delegate(NodeId id) {
    const Node& node = graph_->at(id);
    DelegateCall call;
    call.delegate_index = static_cast<std::int32_t>(method_.delegates.size());
    method_.delegates.push_back(static_cast<std::size_t>(std::get<std::int64_t>(node.args[0].v)));
    std::vector<ValueIndex> outputs;
    for (const SpecId spec : exec_.specs_of(*graph_, id)) outputs.push_back(tensor_value(spec));
    for (std::size_t i = 1; i < node.args.size(); ++i) {
      const NodeId* input = node.args[i].node();
      call.args.push_back(input != nullptr ? value_of(*input) : literal(node.args[i]));
    }
    call.args.insert(call.args.end(), outputs.begin(), outputs.end());
    method_.instructions.emplace_back(std::move(call));
  }

  /// A view of fixed shape is a second tensor value at the same place. What has a place only when
  /// the program runs, or a shape, is made by an instruction.
  void emit_view(NodeId id) {
    const Node& node = graph_->at(id);
    const SpecId spec = exec_.specs_of(*graph_, id).at(0);
    const TensorSpec& view = exec_.spec(spec);
    if (!view.dynamic && (view.memory_id != 0 || view.constant)) {
      const ValueIndex base = tensor_value(view.view_base);
      const auto& base_value =
          std::get<TensorValue>(method_.values[static_cast<std::size_t>(base)]);
      // The runtime checks the shape of what it finds by name, so a view needs an instruction.
      if (base_value.external_name.empty()) {
        by_spec_[static_cast<std::size_t>(spec)] =
            add(TensorValue{spec, base_value.constant_index, {}});
        return;
      }
    }
    KernelCall call;
    call.operator_index = operator_index(kEtView);
    call.args.push_back(value_of(*node.args.at(0).node()));
    call.args.push_back(int_list(*node.args.at(1).list()));
    call.args.push_back(tensor_value(spec));
    method_.instructions.emplace_back(std::move(call));
  }

  void emit_kernel(NodeId id) {
    const Node& node = graph_->at(id);
    const edge::OpSchema* schema = edge::find_op_by_out(node.target);
    PTEC_INVARIANT(schema != nullptr, node.target + " is not in out form");
    KernelCall call;
    call.operator_index = operator_index(node.target);
    for (std::size_t i = 0; i < schema->arguments.size(); ++i) {
      call.args.push_back(argument(node.args.at(i), schema->arguments[i]));
    }
    if (schema->scalar_result) {
      // A place for the number: the kernel sets its value, and its kind too.
      call.args.push_back(by_node_[static_cast<std::size_t>(id)] = add(std::int64_t{0}));
    } else if (schema->writes_self) {
      call.args.push_back(call.args.at(0));
    } else {
      emit_outs(node, *schema, call);
    }
    method_.instructions.emplace_back(std::move(call));
  }

  /// The out arguments, then what the operator returns: the out again, or a list of them.
  void emit_outs(const Node& node, const edge::OpSchema& schema, KernelCall& call) {
    TensorList outs;
    for (std::size_t i = schema.arguments.size(); i < node.args.size(); ++i) {
      for_each_input(node.args[i], [&](NodeId alloc) { outs.items.push_back(value_of(alloc)); });
    }
    if (schema.list_out) {
      call.args.push_back(add(outs));
      call.args.push_back(add(outs));
    } else {
      call.args.insert(call.args.end(), outs.items.begin(), outs.items.end());
      call.args.push_back(outs.items.size() == 1 ? outs.items[0] : add(outs));
    }
  }

  std::int32_t operator_index(std::string_view target) {
    const auto [found, added] =
        operators_.try_emplace(target, static_cast<std::int32_t>(method_.operators.size()));
    if (added) {
      const std::size_t dot = target.rfind('.');
      const std::string_view overload = target.substr(dot + 1);
      // The kernel of views calls its overload by the word that stands for none elsewhere.
      const bool unnamed = overload == "default" && target != kEtView;
      method_.operators.push_back(
          {std::string(target.substr(0, dot)), std::string(unnamed ? "" : overload)});
    }
    return found->second;
  }

  ValueIndex literal(const Argument& value) {
    if (const auto* flag = std::get_if<bool>(&value.v)) return add(*flag);
    if (const auto* number = std::get_if<std::int64_t>(&value.v)) return add(*number);
    if (const auto* real = std::get_if<double>(&value.v)) return add(*real);
    if (const auto* text = std::get_if<std::string>(&value.v)) return add(*text);
    if (const auto* type = std::get_if<ScalarType>(&value.v))
      return add(std::int64_t{info(*type).pte_code});
    if (std::holds_alternative<LayoutCode>(value.v))
      return add(std::int64_t{0});  // strided is the only one left
    if (const auto* format = std::get_if<MemoryFormatCode>(&value.v)) {
      const auto code = static_cast<std::int64_t>(*format);
      if (code != kMemoryFormatContiguous && code != kMemoryFormatPreserve) {
        fail(ProblemId::MemoryFormat,
             "a channels-last memory format cannot be an argument in a .pte");
      }
      return add(std::int64_t{code == kMemoryFormatPreserve ? 1 : 0});
    }
    if (value.is_none()) return add(None{});
    fail(ProblemId::ArgumentKind, "an argument has a kind that a .pte cannot hold");
  }

  ValueIndex argument(const Argument& value, const edge::ArgumentSchema& schema) {
    if (value.is_none()) {
      if (schema.type == edge::ArgumentType::Tensor && !schema.list && !schema.optional)
        return add(AbsentTensor{});
      return add(None{});
    }
    if (schema.list) return list(value, schema);
    const NodeId* node = value.node();
    return node != nullptr ? value_of(*node) : literal(value);
  }

  ValueIndex list(const Argument& value, const edge::ArgumentSchema& schema) {
    const Argument::List* items = value.list();
    const Argument::List single{value};
    if (items == nullptr) items = &single;  // torch lets one int stand for a list of one
    switch (schema.type) {
      case edge::ArgumentType::Tensor:
        return tensor_list(*items, schema.optional_items);
      case edge::ArgumentType::Double: {
        DoubleList out;
        for (const Argument& item : *items) out.items.push_back(std::get<double>(item.v));
        return add(std::move(out));
      }
      case edge::ArgumentType::Bool: {
        BoolList out;
        for (const Argument& item : *items) out.items.push_back(std::get<bool>(item.v));
        return add(std::move(out));
      }
      default:
        return int_list(*items);
    }
  }

  ValueIndex int_list(const Argument::List& items) {
    IntList out;
    for (const Argument& item : items) {
      const NodeId* node = item.node();
      out.items.push_back(node != nullptr ? value_of(*node) : literal(item));
    }
    return add(std::move(out));
  }

  ValueIndex tensor_list(const Argument::List& items, bool optional_items) {
    std::vector<ValueIndex> indices;
    for (const Argument& item : items)
      indices.push_back(item.node() != nullptr ? value_of(*item.node()) : kNone);
    if (optional_items) return add(OptionalTensorList{std::move(indices)});
    return add(TensorList{std::move(indices)});
  }

  void emit_outputs(const Node& node) {
    const Argument::List& results = *node.args.at(0).list();
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (program_.outputs[i].kind == OutputKind::BufferMutation) continue;
      const NodeId* result = results[i].node();
      if (result == nullptr && std::holds_alternative<std::string>(results[i].v)) {
        fail(ProblemId::OutputText,
             "output " + std::to_string(i) + " is a text, which a method cannot return");
      }
      method_.outputs.push_back(result != nullptr ? value_of(*result) : literal(results[i]));
    }
  }

  const ExecProgram& exec_;
  const Program& program_;
  DataTable& constants_;
  DataTable* initial_values_;
  ExternalTable* external_;
  Method method_;
  const Graph* graph_;  // whose nodes are being emitted
  std::optional<std::set<SpecId>> overwritten_;
  std::vector<ValueIndex> by_spec_;
  std::vector<ValueIndex> by_node_;
  std::map<std::string_view, std::int32_t> operators_;
};

}  // namespace

Method emit_method(const ExecProgram& exec,
                   DataTable& constants,
                   DataTable* initial_values,
                   ExternalTable* external) {
  return Emitter(exec, constants, initial_values, external).run();
}

}  // namespace ptec::emit
