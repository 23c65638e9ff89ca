#include "torch_export/read_program_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "support/error.h"
#include "support/printable.h"
#include "sym/expr_scan.h"
#include "torch_export/read_graph.h"
#include "torch_export/read_signature.h"
#include "torch_export/read_tree.h"

namespace ptec {
namespace {

constexpr std::int64_t kSchemaMajor = 8;
constexpr std::string_view kOldestTorch = "<=2.4";  // stands for writers that did not say

/// Returns the minor version.
std::int64_t read_schema_version(const json::Struct& top, const std::string& torch_version) {
  const json::Value field = top.required("schema_version");
  const json::Struct version(field);
  const std::int64_t major = version.required("major").integer();
  const std::int64_t minor = version.required("minor").integer();
  if (major != kSchemaMajor) {
    field.fail(
        ErrorCode::Unsupported,
        fmt::format("schema version {}.{}, written by torch {}; this reader knows version {}",
                    major,
                    minor,
                    printable(torch_version),
                    kSchemaMajor));
  }
  return minor;
}

// "No bound" is null, but writers have also put the ends of 64 bits, and -1 as an upper bound.
Range read_range(const json::Value& value) {
  const json::Struct fields(value);
  Range out;
  if (const std::optional<json::Value> min = fields.optional("min_val")) out.min = min->integer();
  if (const std::optional<json::Value> max = fields.optional("max_val")) out.max = max->integer();
  if (out.min && *out.min <= -std::numeric_limits<std::int64_t>::max()) out.min.reset();
  if (out.max == std::numeric_limits<std::int64_t>::max()) out.max.reset();
  if (out.max == -1 && out.min && *out.min > -1) out.max.reset();
  if (out.min && out.max && *out.min > *out.max) {
    value.fail_malformed(fmt::format("the range from {} to {} is empty", *out.min, *out.max));
  }
  return out;
}

// Compound keys such as `4*s7` repeat what follows from the symbols' own ranges.
void read_ranges(const json::Value& constraints, SymbolRanges& ranges) {
  std::set<std::string_view> seen;
  constraints.each_member([&](std::string_view key, const json::Value& value) {
    if (!seen.insert(key).second) {
      constraints.fail_malformed(fmt::format("'{}' is there twice", printable(key)));
    }
    const Range range = read_range(value);
    if (ExprScanner::is_name(key)) ranges.emplace(key, range);
  });
}

std::size_t count_inputs(const Program& program) {
  return static_cast<std::size_t>(
      std::count_if(program.inputs.begin(), program.inputs.end(), [](const InputSpec& input) {
        return input.kind == InputKind::UserInput || input.kind == InputKind::ConstantInput;
      }));
}

std::size_t count_outputs(const Program& program) {
  return static_cast<std::size_t>(
      std::count_if(program.outputs.begin(), program.outputs.end(), [](const OutputSpec& output) {
        return output.kind == OutputKind::UserOutput;
      }));
}

void check_input_tree(const TreeSpec& tree, const json::Value& field) {
  const auto is = [](const TreeSpec& node, std::string_view type) { return node.type == type; };
  if (!is(tree, "builtins.tuple") || tree.children.size() != 2 ||
      !is(tree.children[0], "builtins.tuple") || !is(tree.children[1], "builtins.dict")) {
    field.fail_malformed("inputs are a tuple of positional and a dict of keyword arguments");
  }
}

void check_leaves(const TreeSpec& tree,
                  std::size_t wanted,
                  std::string_view what,
                  const json::Value& field) {
  const std::size_t found = leaf_count(tree);
  if (found == wanted) return;
  field.fail_malformed(fmt::format("{} leaves, but the signature has {} {}", found, wanted, what));
}

// Entry "" of the module call graph is the program itself; the others are sub-modules.
void read_calling_convention(const json::Value& module_call_graph, Program& program) {
  bool found = false;
  module_call_graph.each_item([&](const json::Value& item) {
    const json::Struct entry(item);
    if (!entry.required("fqn").string().empty()) return;
    if (found) item.fail_malformed("a second entry for the program itself");
    found = true;
    const std::optional<json::Value> signature = entry.optional("signature");
    if (!signature) item.fail_malformed("the program itself has no signature");
    const json::Struct fields(*signature);
    const json::Value in_spec = fields.required("in_spec");
    const json::Value out_spec = fields.required("out_spec");
    program.input_tree = read_tree(in_spec);
    program.output_tree = read_tree(out_spec);
    check_input_tree(program.input_tree, in_spec);
    check_leaves(program.input_tree, count_inputs(program), "user inputs", in_spec);
    check_leaves(program.output_tree, count_outputs(program), "user outputs", out_spec);
  });
  if (!found) module_call_graph.fail_malformed("no entry for the program itself");
}

}  // namespace

Program read_program_json(const json::Document& document) {
  const json::Value root(document);
  const json::Struct top(root);
  Program program;
  const std::optional<json::Value> torch_version = top.optional("torch_version");
  program.torch_version = torch_version ? torch_version->string() : kOldestTorch;
  ReadContext context{program.exprs};
  context.schema_minor = read_schema_version(top, program.torch_version);
  top.required("opset_version").object();
  if (const std::optional<json::Value> verifiers = top.optional("verifiers")) {
    verifiers->each_item(
        [&](const json::Value& item) { program.verifiers.emplace_back(item.string()); });
  }
  const json::Value constraints = top.required("range_constraints");
  read_ranges(constraints, program.ranges);

  const json::Value module_field = top.required("graph_module");
  const json::Struct module_fields(module_field);
  const json::Value graph = module_fields.required("graph");
  const json::Value signature = module_fields.required("signature");
  const json::Value module_call_graph = module_fields.required("module_call_graph");
  program.graph = read_graph(context, graph, literal_input_names(signature));
  read_signature(signature, graph, program);
  read_calling_convention(module_call_graph, program);
  return program;
}

}  // namespace ptec
