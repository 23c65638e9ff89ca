#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "archive/engine_object.h"
#include "ir/layout_codes.h"
#include "ir/tensor_layout.h"
#include "ir/text.h"
#include "ir/text_words.h"

namespace ptec {
namespace {

std::string joined(const std::vector<std::string>& items, std::string_view separator = ", ") {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += separator;
    out += items[i];
  }
  return out;
}

std::string device_text(const Device& device) {
  std::string out = name_text(device.type);
  if (device.index) out += fmt::format(":{}", *device.index);
  return out;
}

std::string end_text(std::optional<std::int64_t> end, std::string_view unbounded) {
  return end ? std::to_string(*end) : std::string(unbounded);
}

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program), exprs_(program.exprs) {}

  std::string print() {
    if (!program_.torch_version.empty()) {
      out_ += "torch_version " + quoted(program_.torch_version) + "\n";
    }
    for (const std::string& verifier : program_.verifiers) {
      out_ += "verifier " + quoted(verifier) + "\n";
    }
    print_symbols();
    print_hints();
    print_payloads();
    print_trees();
    out_ += "method " + name_text(program_.name) + "(";
    std::vector<std::string> inputs;
    for (const InputSpec& input : program_.inputs) inputs.push_back(input_text(input));
    out_ += joined(inputs) + ") {\n";
    print_nodes(program_.graph, program_.outputs, 1);
    out_ += "}\n";
    return std::move(out_);
  }

 private:
  std::map<std::string, std::int64_t, std::less<>> symbol_hints() const {
    std::map<std::string, std::int64_t, std::less<>> out;
    for (std::size_t id = 0; id < program_.exprs.size(); ++id) {
      const Expr& expr = program_.exprs.at(ExprId{static_cast<std::uint32_t>(id)});
      if (expr.op == ExprOp::Symbol && expr.hint) out.emplace(expr.symbol, *expr.hint);
    }
    return out;
  }

  void print_symbols() {
    const auto hints = symbol_hints();
    std::map<std::string, std::string, std::less<>> lines;
    for (const auto& entry : program_.ranges) {
      lines[entry.first] = fmt::format(
          " in [{}, {}]", end_text(entry.second.min, "-inf"), end_text(entry.second.max, "inf"));
    }
    for (const auto& entry : hints) lines[entry.first] += fmt::format(" hint {}", entry.second);
    for (const auto& line : lines) out_ += "symbol " + name_text(line.first) + line.second + "\n";
  }

  // Hints of compound expressions, where they do not follow from those of the symbols.
  void print_hints() {
    const auto known = symbol_hints();
    std::map<std::string, std::int64_t> lines;
    for (std::size_t index = 0; index < program_.exprs.size(); ++index) {
      const ExprId id{static_cast<std::uint32_t>(index)};
      const Expr& expr = program_.exprs.at(id);
      if (!expr.hint || expr.op == ExprOp::Symbol) continue;
      const Dim dim = Dim::of_expr(id);
      if (program_.exprs.evaluate(dim, known) == expr.hint) continue;
      lines.emplace(program_.exprs.print(dim), *expr.hint);
    }
    for (const auto& line : lines)
      out_ += fmt::format("hint_of {} = {}\n", line.first, line.second);
  }

  void print_payloads() {
    for (const auto& entry : program_.tensors) {
      out_ += fmt::format("tensor {}: {}, {} bytes\n",
                          quoted(entry.first),
                          tensor_text(entry.second.meta),
                          entry.second.storage.size_bytes());
    }
    for (const auto& entry : program_.objects) {
      out_ += fmt::format("object {}: {}, {} fields, engine {} bytes\n",
                          quoted(entry.first),
                          quoted(archive::engine_encoding_name(entry.second.encoding)),
                          entry.second.fields.size(),
                          entry.second.engine.size_bytes());
    }
  }

  void print_trees() {
    if (!same_tree(program_.input_tree, default_input_tree(program_))) {
      out_ += "input_tree " + tree_text(program_.input_tree) + "\n";
    }
    if (!same_tree(program_.output_tree, default_output_tree(program_))) {
      out_ += "output_tree " + tree_text(program_.output_tree) + "\n";
    }
  }

  static std::string tree_text(const TreeSpec& tree) {
    if (!tree.type) return "*";
    std::vector<std::string> children;
    for (const TreeSpec& child : tree.children) children.push_back(tree_text(child));
    std::string head;
    if (tree.type == kTupleType && tree.context == kSequenceContext) {
      head = "tuple";
    } else if (tree.type == kListType && tree.context == kSequenceContext) {
      head = "list";
    } else if (tree.type == kDictType && tree.context == kNoKeys && children.empty()) {
      head = "dict";
    } else {
      head = "node " + quoted(*tree.type) + " " + quoted(tree.context) + " ";
    }
    return head + "(" + joined(children) + ")";
  }

  std::string dims_text(const std::vector<Dim>& dims) const {
    std::vector<std::string> items;
    for (const Dim& dim : dims) items.push_back(program_.exprs.print(dim));
    return "[" + joined(items, ",") + "]";
  }

  std::string tensor_text(const TensorMeta& tensor) {
    std::string out = std::string(info(tensor.dtype).text) + dims_text(tensor.sizes);
    if (contiguous_strides(exprs_, tensor.sizes) != tensor.strides) {
      out += " strides " + dims_text(tensor.strides);
    }
    if (tensor.storage_offset != Dim(0)) {
      out += " offset (" + program_.exprs.print(tensor.storage_offset) + ")";
    }
    if (tensor.device != Device{}) out += " on " + device_text(tensor.device);
    if (tensor.requires_grad) out += " requires_grad";
    return out;
  }

  std::string scalar_text(const SymScalar& scalar) const {
    const std::string value = program_.exprs.print(scalar.value);
    switch (scalar.kind) {
      case ScalarKind::Int:
        return "int(" + value + ")";
      case ScalarKind::Bool:
        return "bool(" + value + ")";
      case ScalarKind::Float:
        break;
    }
    return scalar.number ? "real(" + real_text(*scalar.number) + ")" : "float(" + value + ")";
  }

  std::string item_text(const ValueItem& item) {
    if (const TensorMeta* tensor = std::get_if<TensorMeta>(&item)) return tensor_text(*tensor);
    if (const SymScalar* scalar = std::get_if<SymScalar>(&item)) return scalar_text(*scalar);
    if (const ObjectRef* object = std::get_if<ObjectRef>(&item)) {
      return "object " + quoted(object->fqn);
    }
    return "none";
  }

  std::string value_text(const Value& value) {
    if (const std::vector<ValueItem>* list = value.list()) {
      std::vector<std::string> items;
      for (const ValueItem& item : *list) items.push_back(item_text(item));
      return "(" + joined(items) + ")";
    }
    if (const TensorMeta* tensor = value.tensor()) return tensor_text(*tensor);
    if (const SymScalar* scalar = value.scalar()) return scalar_text(*scalar);
    if (const ObjectRef* object = std::get_if<ObjectRef>(&value.v)) return item_text(*object);
    return "none";
  }

  std::string input_text(const InputSpec& input) {
    const Node& node = program_.graph.at(input.node);
    std::string out = "%" + name_text(node.name) + ": " + value_text(node.value);
    switch (input.kind) {
      case InputKind::UserInput:
      case InputKind::CustomObject:  // its type says it
        break;
      case InputKind::ConstantInput:
        out += fmt::format(
            " {} {}", word_of(input.kind), argument_text(program_.graph, input.constant, 1));
        break;
      case InputKind::Parameter:
      case InputKind::Buffer:
      case InputKind::TensorConstant:
        out += fmt::format(" {} {}", word_of(input.kind), quoted(input.target));
        break;
      case InputKind::Token:
        out += fmt::format(" {}", word_of(input.kind));
        break;
    }
    if (!input.persistent) out += " non_persistent";
    if (!input.name.empty() && input.name != node.name) out += " named " + quoted(input.name);
    return out;
  }

  std::string indent(std::size_t depth) const { return std::string(depth * 2, ' '); }

  std::string argument_text(const Graph& graph, const Argument& argument, std::size_t depth) {
    return std::visit([&](const auto& value) { return literal(graph, value, depth); }, argument.v);
  }
  std::string literal(const Graph&, None, std::size_t) { return "none"; }
  std::string literal(const Graph&, bool value, std::size_t) { return value ? "true" : "false"; }
  std::string literal(const Graph&, std::int64_t value, std::size_t) {
    return std::to_string(value);
  }
  std::string literal(const Graph&, double value, std::size_t) { return real_text(value); }
  std::string literal(const Graph&, const std::string& value, std::size_t) { return quoted(value); }
  std::string literal(const Graph& graph, NodeId value, std::size_t) {
    return "%" + name_text(graph.at(value).name);
  }
  std::string literal(const Graph&, ScalarType value, std::size_t) {
    return std::string(info(value).text);
  }
  std::string literal(const Graph&, LayoutCode value, std::size_t) {
    const auto code = static_cast<std::int64_t>(value);
    const std::optional<std::string_view> name = find_layout_name(code);
    return "layout " + (name ? std::string(*name) : std::to_string(code));
  }
  std::string literal(const Graph&, MemoryFormatCode value, std::size_t) {
    const auto code = static_cast<std::int64_t>(value);
    const std::optional<std::string_view> name = find_memory_format_name(code);
    return "memory_format " + (name ? std::string(*name) : std::to_string(code));
  }
  std::string literal(const Graph&, const Device& value, std::size_t) {
    return "device " + device_text(value);
  }
  std::string literal(const Graph& graph, const Argument::List& list, std::size_t depth) {
    std::vector<std::string> items;
    for (const Argument& item : list) items.push_back(argument_text(graph, item, depth));
    return "[" + joined(items) + "]";
  }
  std::string literal(const Graph&, const std::shared_ptr<Graph>& graph, std::size_t depth) {
    std::vector<std::string> inputs;
    for (const NodeId input : graph->inputs) {
      inputs.push_back("%" + name_text(graph->at(input).name) + ": " +
                       value_text(graph->at(input).value));
    }
    const std::string before = std::exchange(out_, {});
    print_nodes(*graph, {}, depth + 1);
    const std::string body = std::exchange(out_, before);
    return "graph(" + joined(inputs) + ") {\n" + body + indent(depth) + "}";
  }

  void print_nodes(const Graph& graph, const std::vector<OutputSpec>& outputs, std::size_t depth) {
    for (NodeId id = graph.first(); id != kNoNode; id = graph.at(id).next) {
      const Node& node = graph.at(id);
      if (node.kind == NodeKind::Call) print_call(graph, node, depth);
      if (node.kind == NodeKind::Output) print_output(graph, node, outputs, depth);
    }
  }

  void print_call(const Graph& graph, const Node& node, std::size_t depth) {
    std::vector<std::string> items;
    for (const Argument& argument : node.args)
      items.push_back(argument_text(graph, argument, depth));
    for (const NamedArgument& argument : node.kwargs) {
      items.push_back(name_text(argument.name) + "=" + argument_text(graph, argument.value, depth));
    }
    out_ += fmt::format("{}%{}: {} = {}({})\n",
                        indent(depth),
                        name_text(node.name),
                        value_text(node.value),
                        target_text(node.target),
                        joined(items));
  }

  void print_output(const Graph& graph,
                    const Node& node,
                    const std::vector<OutputSpec>& outputs,
                    std::size_t depth) {
    std::vector<std::string> items;
    const Argument::List* results = node.args.empty() ? nullptr : node.args[0].list();
    for (std::size_t i = 0; results != nullptr && i < results->size(); ++i) {
      std::string item = argument_text(graph, (*results)[i], depth);
      if (i < outputs.size() && outputs[i].kind != OutputKind::UserOutput) {
        const OutputKindWord& row = word_of(outputs[i].kind);
        item += fmt::format(" as {}", row.word);
        if (row.has_target) item += " " + quoted(outputs[i].target);
      }
      items.push_back(std::move(item));
    }
    out_ += indent(depth) + "return (" + joined(items) + ")\n";
  }

  const Program& program_;
  ExprPool exprs_;  // a copy, since default strides make expressions
  std::string out_;
};

}  // namespace

std::string print_program(const Program& program) { return Printer(program).print(); }

}  // namespace ptec
