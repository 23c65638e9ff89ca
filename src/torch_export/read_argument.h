// An argument of a node: a value by name, a literal, a list, a sub-graph.
#pragma once

#include "ir/program.h"
#include "torch_export/json.h"
#include "torch_export/read_values.h"

namespace ptec {

/// Reads one Argument of the schema. `depth` counts the sub-graphs around it.
/// Throws Unsupported for complex numbers, operators and dicts as arguments, which no exported
/// operator takes.
Argument read_argument(ReadContext& context,
                       const ValueScope& values,
                       const json::Value& value,
                       std::size_t depth);

/// An argument as far as names go: one value by its name, or anything else, called a literal here.
/// `value` must outlive the result.
class ReferenceReader {
 public:
  explicit ReferenceReader(const json::Value& value);
  ReferenceReader(const ReferenceReader&) = delete;
  ReferenceReader& operator=(const ReferenceReader&) = delete;

  std::string_view tag() const { return argument_.tag(); }
  /// The field with the value's name; null for a literal.
  const json::Value* name() const { return name_ ? &*name_ : nullptr; }
  ValueKind kind() const { return kind_; }
  const json::Value& content() const { return argument_.content(); }
  /// Whether both name the same value, or are the same literal.
  bool same_as(const ReferenceReader& other) const;
  /// "'x'", or the literal, for messages.
  std::string text() const;

 private:
  json::Union argument_;
  std::optional<json::Union> symbol_;
  std::optional<json::Value> name_;
  ValueKind kind_ = ValueKind::Tensor;
};

}  // namespace ptec
