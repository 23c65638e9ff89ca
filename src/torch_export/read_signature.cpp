#include "torch_export/read_signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "support/error.h"
#include "support/printable.h"
#include "torch_export/read_argument.h"

namespace ptec {
namespace {

struct InputRow {
  std::string_view tag;
  InputKind kind;
  std::string_view target_field;
  std::string_view noun;
};
constexpr InputRow kInputRows[] = {
    {"parameter", InputKind::Parameter, "parameter_name", "parameter"},
    {"buffer", InputKind::Buffer, "buffer_name", "buffer"},
    {"tensor_constant", InputKind::TensorConstant, "tensor_constant_name", "constant"},
    {"custom_obj", InputKind::CustomObject, "custom_obj_name", "custom object"},
    {"token", InputKind::Token, "", "token"},
};

struct OutputRow {
  std::string_view tag;
  OutputKind kind;
  std::string_view target_field;
};
constexpr OutputRow kOutputRows[] = {
    {"buffer_mutation", OutputKind::BufferMutation, "buffer_name"},
    {"parameter_mutation", OutputKind::ParameterMutation, "parameter_name"},
    {"user_input_mutation", OutputKind::UserInputMutation, "user_input_name"},
    {"loss_output", OutputKind::LossOutput, ""},
    {"gradient_to_parameter", OutputKind::GradientToParameter, "parameter_name"},
    {"gradient_to_user_input", OutputKind::GradientToUserInput, "user_input_name"},
    {"token", OutputKind::Token, ""},
};

void check_same_count(const json::Value& specs, const json::Value& values, std::string_view what) {
  if (specs.item_count() == values.item_count()) return;
  specs.fail_malformed(fmt::format(
      "{} specs for {} {} of the graph", specs.item_count(), values.item_count(), what));
}

[[noreturn]] void fail_names(const json::Value& where,
                             const std::string& spec,
                             const std::string& graph) {
  where.fail_malformed(fmt::format("the signature says {}, the graph {}", spec, graph));
}

/// Checks a spec `{"arg": {"name": v}}` against the graph's input or output.
void check_named(const json::Struct& spec, const ReferenceReader& in_graph) {
  const json::Value argument = spec.required("arg");
  const json::Struct fields(argument);
  const json::Value name = fields.required("name");
  if (in_graph.name() == nullptr || in_graph.name()->string() != name.string()) {
    fail_names(name, fmt::format("'{}'", printable(name.string())), in_graph.text());
  }
}

void check_user(const json::Struct& spec, const ReferenceReader& in_graph) {
  const json::Value argument = spec.required("arg");
  const ReferenceReader in_spec(argument);
  if (!in_spec.same_as(in_graph)) fail_names(argument, in_spec.text(), in_graph.text());
}

bool all_numbers(const TensorMeta& meta) {
  const auto is_number = [](const Dim& dim) { return dim.is_number(); };
  return meta.storage_offset.is_number() &&
         std::all_of(meta.sizes.begin(), meta.sizes.end(), is_number) &&
         std::all_of(meta.strides.begin(), meta.strides.end(), is_number);
}

Argument read_constant(const json::Value& value) {
  const json::Union constant(value);
  const json::Value& content = constant.content();
  if (constant.is("as_none")) return None{};
  if (constant.is("as_int")) return content.integer();
  if (constant.is("as_float")) return content.real();
  if (constant.is("as_string")) return std::string(content.string());
  if (constant.is("as_bool")) return content.boolean();
  constant.fail_unknown_tag();
}

class SignatureReader {
 public:
  explicit SignatureReader(Program& program) : program_(program) {}

  void read_input(const json::Value& value, const json::Value& graph_input, NodeId node) {
    const json::Union spec(value);
    const json::Struct fields(spec.content());
    const ReferenceReader in_graph(graph_input);
    InputSpec out;
    out.node = node;
    if (in_graph.name() != nullptr) out.name = in_graph.name()->string();
    if (spec.is("user_input")) {
      check_user(fields, in_graph);
      user_inputs_.insert(out.name);
    } else if (spec.is("constant_input")) {
      read_constant_input(fields, in_graph, out);
    } else {
      read_lifted_input(spec, fields, in_graph, out);
    }
    program_.inputs.push_back(std::move(out));
  }

  void read_output(const json::Value& value, const json::Value& graph_output) {
    const json::Union spec(value);
    const json::Struct fields(spec.content());
    const ReferenceReader in_graph(graph_output);
    OutputSpec out;
    if (spec.is("user_output")) {
      check_user(fields, in_graph);
    } else {
      const OutputRow* row = nullptr;
      for (const OutputRow& candidate : kOutputRows) {
        if (spec.is(candidate.tag)) row = &candidate;
      }
      if (row == nullptr) spec.fail_unknown_tag();
      out.kind = row->kind;
      check_named(fields, in_graph);
      if (!row->target_field.empty()) {
        const json::Value target = fields.required(row->target_field);
        out.target = target.string();
        check_target(out, target);
      }
    }
    program_.outputs.push_back(std::move(out));
  }

 private:
  void read_constant_input(const json::Struct& fields,
                           const ReferenceReader& in_graph,
                           InputSpec& out) {
    out.kind = InputKind::ConstantInput;
    out.name = fields.required("name").string();
    const json::Value constant = fields.required("value");
    out.constant = read_constant(constant);
    const ReferenceReader in_spec(constant);
    if (in_graph.name() != nullptr || !in_spec.same_as(in_graph)) {
      fail_names(constant, in_spec.text(), in_graph.text());
    }
  }

  void read_lifted_input(const json::Union& spec,
                         const json::Struct& fields,
                         const ReferenceReader& in_graph,
                         InputSpec& out) {
    const InputRow* row = nullptr;
    for (const InputRow& candidate : kInputRows) {
      if (spec.is(candidate.tag)) row = &candidate;
    }
    if (row == nullptr) spec.fail_unknown_tag();
    out.kind = row->kind;
    check_named(fields, in_graph);
    const ValueKind wanted =
        out.kind == InputKind::CustomObject ? ValueKind::Object : ValueKind::Tensor;
    if (in_graph.kind() != wanted) {
      spec.content().fail_malformed(
          fmt::format("a {} comes as {}", row->noun, printable(in_graph.tag())));
    }
    if (out.kind == InputKind::Token) return;
    const json::Value target = fields.required(row->target_field);
    out.target = target.string();
    if (out.target.empty()) target.fail_malformed(fmt::format("a {} has a name", row->noun));
    if (out.kind == InputKind::Buffer) out.persistent = fields.required("persistent").boolean();
    if (out.kind == InputKind::CustomObject) {
      program_.graph.at(out.node).value.v = ObjectRef{out.target};
      return;
    }
    if (!all_numbers(*program_.graph.at(out.node).value.tensor())) {
      target.fail_malformed(
          fmt::format("{} '{}' has a symbolic shape", row->noun, printable(out.target)));
    }
    if (!lifted_.emplace(out.kind, out.target).second) {
      target.fail_malformed(
          fmt::format("{} '{}' is there twice", row->noun, printable(out.target)));
    }
  }

  void check_target(const OutputSpec& output, const json::Value& target) const {
    bool known = true;
    std::string_view noun;
    switch (output.kind) {
      case OutputKind::BufferMutation:
        noun = "buffer";
        known = lifted_.contains({InputKind::Buffer, output.target});
        break;
      case OutputKind::ParameterMutation:
      case OutputKind::GradientToParameter:
        noun = "parameter";
        known = lifted_.contains({InputKind::Parameter, output.target});
        break;
      case OutputKind::UserInputMutation:
      case OutputKind::GradientToUserInput:
        noun = "user input";
        known = user_inputs_.contains(output.target);
        break;
      case OutputKind::UserOutput:
      case OutputKind::LossOutput:
      case OutputKind::Token:
        break;
    }
    if (!known) {
      target.fail_malformed(fmt::format("there is no {} '{}'", noun, printable(output.target)));
    }
  }

  Program& program_;
  std::set<std::pair<InputKind, std::string>> lifted_;
  std::set<std::string> user_inputs_;  // value names
};

/// Calls `visit(spec, value)` for two lists of equal length.
template <typename Visit>
void each_pair(const json::Value& specs, const json::Value& values, const Visit& visit) {
  const simdjson::dom::array array = values.array();
  auto next = array.begin();
  std::size_t index = 0;
  specs.each_item([&](const json::Value& spec) {
    const json::Value value(*next, values, index++);
    visit(spec, value);
    ++next;
  });
}

}  // namespace

LiteralNames literal_input_names(const json::Value& signature) {
  const json::Struct fields(signature);
  const json::Value specs = fields.required("input_specs");
  LiteralNames out;
  specs.each_item([&](const json::Value& value) {
    std::string_view name;
    if (const json::Union spec(value); spec.is("constant_input")) {
      const json::Struct constant(spec.content());
      name = constant.required("name").string();
    }
    out.push_back(name);
  });
  return out;
}

void read_signature(const json::Value& signature, const json::Value& graph, Program& program) {
  const json::Struct specs(signature);
  const json::Struct graph_fields(graph);
  const json::Value input_specs = specs.required("input_specs");
  const json::Value output_specs = specs.required("output_specs");
  const json::Value inputs = graph_fields.required("inputs");
  const json::Value outputs = graph_fields.required("outputs");
  check_same_count(input_specs, inputs, "inputs");
  check_same_count(output_specs, outputs, "outputs");

  SignatureReader reader(program);
  program.inputs.reserve(program.graph.inputs.size());
  std::size_t index = 0;
  each_pair(input_specs, inputs, [&](const json::Value& spec, const json::Value& input) {
    reader.read_input(spec, input, program.graph.inputs[index++]);
  });
  each_pair(output_specs, outputs, [&](const json::Value& spec, const json::Value& output) {
    reader.read_output(spec, output);
  });
}

}  // namespace ptec
