// Small structs of the schema: tensor descriptions, symbolic numbers, devices, numbers of enums.
#pragma once

#include <string_view>
#include <unordered_map>

#include "ir/program.h"
#include "torch_export/json.h"

namespace ptec {

/// What the readers of one program share.
struct ReadContext {
  struct KnownExpr {
    Dim dim;
    bool has_hint = false;
  };
  ExprPool& exprs;
  std::int64_t schema_minor = 0;
  std::unordered_map<std::string_view, KnownExpr> known_exprs = {};  // by text; looked up only
};

TensorMeta read_tensor_meta(ReadContext& context, const json::Value& value);
/// `{"as_int": n}` or `{"as_expr": ...}`
Dim read_sym_int(ReadContext& context, const json::Value& value);
SymScalar read_sym_float(ReadContext& context, const json::Value& value);
SymScalar read_sym_bool(ReadContext& context, const json::Value& value);
Device read_device(const json::Value& value);
ScalarType read_scalar_type(const json::Value& value);
LayoutCode read_layout(const json::Value& value);
MemoryFormatCode read_memory_format(const json::Value& value);

/// `[4, 8]`, for messages.
std::string shape_text(const ExprPool& exprs, const std::vector<Dim>& sizes);

}  // namespace ptec
