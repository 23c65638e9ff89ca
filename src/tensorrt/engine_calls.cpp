#include "tensorrt/engine_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "support/error.h"

namespace ptec::tensorrt {
namespace {

constexpr std::size_t kMaxBindingRank = 8;  // TensorRT's Dims::MAX_DIMS

// Element types that a TensorRT binding can have. Source: TensorRT 10.x NvInferRuntimeBase.h, enum
// DataType.
constexpr ScalarType kBindingTypes[] = {ScalarType::Float32,
                                        ScalarType::Float16,
                                        ScalarType::BFloat16,
                                        ScalarType::Int8,
                                        ScalarType::Int32,
                                        ScalarType::Int64,
                                        ScalarType::Bool,
                                        ScalarType::UInt8,
                                        ScalarType::Float8E4M3FN,
                                        ScalarType::Float8E8M0FNU};

/// What is wrong, without where; the caller knows the node.
struct Problems {
  std::vector<std::pair<ErrorCode, std::string>> found;
  void add(ErrorCode code, std::string message) { found.emplace_back(code, std::move(message)); }
};

void check_binding(const TensorMeta& tensor,
                   std::string_view direction,
                   std::string_view binding,
                   Problems& problems) {
  if (tensor.sizes.size() > kMaxBindingRank) {
    problems.add(ErrorCode::Unsupported,
                 fmt::format("{} binding '{}' has {} dimensions; TensorRT has at most {}",
                             direction,
                             binding,
                             tensor.sizes.size(),
                             kMaxBindingRank));
  }
  if (std::find(std::begin(kBindingTypes), std::end(kBindingTypes), tensor.dtype) ==
      std::end(kBindingTypes)) {
    problems.add(ErrorCode::Unsupported,
                 fmt::format("{} binding '{}' is {}; TensorRT has no such element type",
                             direction,
                             binding,
                             info(tensor.dtype).name));
  }
}

void check_inputs(const Program& program, const EngineCall& call, Problems& problems) {
  const std::vector<std::string>& names = call.record.input_names;
  if (call.inputs.size() != names.size()) {
    problems.add(ErrorCode::Malformed,
                 fmt::format("the call has {} inputs, but the engine has {} input binding names",
                             call.inputs.size(),
                             names.size()));
    return;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Node& input = program.graph.at(call.inputs[i]);
    if (const TensorMeta* tensor = input.value.tensor()) {
      check_binding(*tensor, "input", names[i], problems);
    } else {
      problems.add(ErrorCode::Unsupported,
                   fmt::format("input binding '{}' is fed by '{}', which is no tensor; compute it "
                               "inside the engine or "
                               "pass it as a tensor",
                               names[i],
                               input.name));
    }
  }
}

void check_outputs(const Node& node, const EngineRecord& record, Problems& problems) {
  const std::vector<ValueItem>* results = node.value.list();
  const std::size_t count = results == nullptr ? 0 : results->size();
  const std::size_t wanted = record.output_names.size();
  // A trace leaves out what an engine writes into its own inputs: those outputs come last.
  const std::vector<const EngineAlias*> aliases = record.aliases_by_output();
  const bool fits =
      count <= wanted && std::all_of(aliases.begin() + static_cast<std::ptrdiff_t>(count),
                                     aliases.end(),
                                     [](const EngineAlias* alias) { return alias != nullptr; });
  if (!fits) {
    problems.add(
        ErrorCode::Malformed,
        fmt::format(
            "the call has {} results, but the engine has {} output binding names", count, wanted));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (const TensorMeta* tensor = std::get_if<TensorMeta>(&(*results)[i])) {
      check_binding(*tensor, "output", record.output_names[i], problems);
    } else {
      problems.add(ErrorCode::Malformed,
                   fmt::format("output binding '{}' is no tensor", record.output_names[i]));
    }
  }
}

EngineCall check_call(const Program& program, NodeId id, Problems& problems) {
  const Node& node = program.graph.at(id);
  EngineCall call;
  call.node = id;
  call.record = record_of(program, node);
  if (call.record.requires_output_allocator) {
    problems.add(
        ErrorCode::Unsupported,
        fmt::format("engine '{}' needs an output allocator, since the shape of an output depends "
                    "on the data; "
                    "compile with fallback_data_dependent_ops=True, or name the operator in "
                    "torch_executed_ops, so that it stays outside the engine",
                    call.record.name));
  }
  const Argument::List* inputs = node.args.empty() ? nullptr : node.args[0].list();
  if (inputs == nullptr) {
    problems.add(ErrorCode::Malformed, "the first argument of the call is no list of tensors");
    return call;
  }
  for (const Argument& input : *inputs) {
    const NodeId* value = input.node();
    if (value == nullptr) {
      problems.add(ErrorCode::Unsupported, "an input of the call is a literal, not a tensor");
      return call;
    }
    call.inputs.push_back(*value);
  }
  check_inputs(program, call, problems);
  check_outputs(node, call.record, problems);
  return call;
}

}  // namespace

bool is_engine_call(const Node& node) {
  return node.kind == NodeKind::Call &&
         (node.target == kExecuteEngine || node.target == kEnginePlaceholder);
}

EngineRecord record_of(const Program& program, const Node& call) {
  if (call.target == kEnginePlaceholder) {
    archive::EngineObject object;
    object.encoding = archive::EngineEncoding::GraphStrings;
    for (std::size_t i = 1; i < call.args.size(); ++i) {
      const std::string* text = std::get_if<std::string>(&call.args[i].v);
      if (text == nullptr)
        fail(ErrorCode::Malformed, fmt::format("argument {} of the call is no text", i));
      if (i - 1 == archive::kEngineFieldIndex) {
        object.engine = Payload::of_base64_text(*text);
        object.fields.emplace_back();
      } else {
        object.fields.push_back(*text);
      }
    }
    return parse_engine_record(object);
  }
  const NodeId* engine = call.args.size() < 2 ? nullptr : call.args[1].node();
  const ObjectRef* reference =
      engine == nullptr ? nullptr : std::get_if<ObjectRef>(&program.graph.at(*engine).value.v);
  if (reference == nullptr)
    fail(ErrorCode::Malformed, "the second argument of the call is no engine object");
  const auto found = program.objects.find(reference->fqn);
  if (found == program.objects.end()) {
    fail(ErrorCode::Malformed,
         fmt::format("engine object '{}' is not in the archive", reference->fqn));
  }
  const Breadcrumb here("engine", reference->fqn);
  return parse_engine_record(found->second);
}

std::vector<EngineCall> find_engine_calls(const Program& program) {
  std::vector<EngineCall> calls;
  ErrorCode first_code = ErrorCode::Malformed;
  std::vector<std::string> messages;
  for (NodeId id = program.graph.first(); id != kNoNode; id = program.graph.at(id).next()) {
    const Node& node = program.graph.at(id);
    if (!is_engine_call(node)) continue;
    const Breadcrumb here("node", node.name);
    Problems problems;
    try {
      calls.push_back(check_call(program, id, problems));
      const std::string where = Breadcrumb::trail();
      for (auto& [code, message] : problems.found) {
        if (messages.empty()) first_code = code;
        messages.push_back(where + message);
      }
    } catch (
        const Error& error) {  // one broken record must not hide the problems of the other engines
      if (error.code() == ErrorCode::Internal || error.code() == ErrorCode::Io) throw;
      if (messages.empty()) first_code = error.code();
      messages.emplace_back(error.what());
    }
  }
  if (!messages.empty()) throw Error(first_code, std::move(messages));
  return calls;
}

}  // namespace ptec::tensorrt
