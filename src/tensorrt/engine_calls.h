// Finds the engine calls of a program and proves that every one can become a delegate.
#pragma once

#include <string_view>
#include <vector>

#include "ir/program.h"
#include "tensorrt/engine_record.h"

namespace ptec::tensorrt {

inline constexpr std::string_view kExecuteEngine = "tensorrt::execute_engine.default";
inline constexpr std::string_view kEnginePlaceholder =
    "tensorrt::no_op_placeholder_for_execute_engine.default";

/// One call of an engine.
struct EngineCall {
  NodeId node = kNoNode;
  std::vector<NodeId> inputs;  // in the order of the record's input names; a value may stand twice
  EngineRecord record;
};

bool is_engine_call(const Node& node);

/// The record of one call, wherever it comes from: the custom object that the call names, or its
/// own text arguments.
EngineRecord record_of(const Program& program, const Node& call);

/// All engine calls in graph order, each fully checked; nothing is changed. Throws one Error with a
/// line for every faulty call: a broken record, an output allocator, inputs or outputs that do not
/// fit the binding names, dtypes and ranks that TensorRT has not. Source: Torch-TensorRT 2.14,
/// executorch/backend.py and _export.py.
std::vector<EngineCall> find_engine_calls(const Program& program);

}  // namespace ptec::tensorrt
