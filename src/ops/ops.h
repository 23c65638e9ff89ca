// The operator table: what each operator's out form looks like.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"

namespace ptec::edge {

enum class ArgumentType : std::uint8_t {
  Tensor,
  Scalar,
  Int,
  Double,
  Bool,
  String,
  ScalarType,
  MemoryFormat
};

struct ArgumentSchema {
  std::string name;
  ArgumentType type = ArgumentType::Tensor;
  bool list = false;
  bool optional = false;        // None is legal (of the list as a whole)
  bool optional_items = false;  // None is legal for an item
  bool keyword_only = false;
  std::optional<Argument> default_value;
};

struct OpSchema {
  std::string_view functional;  // "aten::add.Tensor"
  std::string_view out;         // "aten::add.out"
  std::vector<ArgumentSchema> arguments;
  std::vector<std::string> outs;  // names of the out arguments
  bool list_out = false;          // one out argument that is a list of tensors
  bool scalar_result = false;     // the result is a number; there are no outs
  bool writes_self = false;       // the result is the first argument, written to; there are no outs
  bool never_requires_grad = false;
  bool has_kernel = true;  // in the stock runtime

  /// Index of the argument with that name, if any.
  std::optional<std::size_t> find_argument(std::string_view name) const;
};

/// A row of ops.def as written.
struct OpRow {
  std::string_view functional;
  std::string_view out;
  std::string_view arguments;
  std::string_view outs;
  std::string_view flags;
};

/// All rows whose out form has a kernel in the stock runtime, sorted by functional form; and those
/// whose out form has none, likewise.
const std::vector<OpRow>& op_rows();
const std::vector<OpRow>& op_rows_without_kernel();
OpSchema parse_op_row(const OpRow& row);

/// The schema of a functional operator; null when neither table has no such row. Parsed once, kept
/// for the process.
const OpSchema* find_op(std::string_view functional);
/// The schema whose out form is `out`.
const OpSchema* find_op_by_out(std::string_view out);

/// Whether the operator's name says that it writes to an argument, as `aten::add_.Tensor` does.
bool writes_in_place(std::string_view target);

}  // namespace ptec::edge
