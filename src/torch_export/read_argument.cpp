#include "torch_export/read_argument.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"
#include "torch_export/read_graph.h"

namespace ptec {
namespace {

/// What the readers of arguments share.
struct Scope {
  ReadContext& context;
  const ValueScope& values;
  std::size_t depth;
};

using Read = Argument (*)(const Scope&, const json::Value&);

template <typename Visit>
Argument list_of(const json::Value& value, const Visit& read) {
  Argument::List out;
  out.reserve(value.item_count());
  value.each_item([&](const json::Value& item) { out.push_back(read(item)); });
  return out;
}

Argument named_value(const Scope& scope, const json::Value& value, std::optional<ValueKind> kind) {
  const json::Struct reference(value);
  return scope.values.use(reference.required("name"), kind);
}

Argument as_none(const Scope&, const json::Value&) { return None{}; }
Argument as_tensor(const Scope& scope, const json::Value& value) {
  return named_value(scope, value, ValueKind::Tensor);
}
Argument as_custom_obj(const Scope& scope, const json::Value& value) {
  return named_value(scope, value, ValueKind::Object);
}
Argument as_int(const Scope&, const json::Value& value) { return value.integer(); }
Argument as_bool(const Scope&, const json::Value& value) { return value.boolean(); }
Argument as_float(const Scope&, const json::Value& value) { return value.real(); }
Argument as_string(const Scope&, const json::Value& value) { return std::string(value.string()); }
Argument as_scalar_type(const Scope&, const json::Value& value) { return read_scalar_type(value); }
Argument as_layout(const Scope&, const json::Value& value) { return read_layout(value); }
Argument as_memory_format(const Scope&, const json::Value& value) {
  return read_memory_format(value);
}
Argument as_device(const Scope&, const json::Value& value) { return read_device(value); }

template <Read read>
Argument many(const Scope& scope, const json::Value& value) {
  return list_of(value, [&](const json::Value& item) { return read(scope, item); });
}

// A list of values may hold symbols too: operands of control flow come this way.
Argument any_value(const Scope& scope, const json::Value& value) {
  return named_value(scope, value, std::nullopt);
}

Argument as_optional_tensor(const Scope& scope, const json::Value& value) {
  const json::Union content(value);
  if (content.is("as_none")) return None{};
  if (!content.is("as_tensor")) content.fail_unknown_tag();
  return as_tensor(scope, content.content());
}

Argument symbol(const Scope& scope,
                const json::Value& value,
                ValueKind kind,
                std::string_view literal_tag,
                Read read_literal) {
  const json::Union content(value);
  if (content.is("as_name")) return scope.values.use(content.content(), kind);
  if (!content.is(literal_tag)) content.fail_unknown_tag();
  return read_literal(scope, content.content());
}
Argument as_sym_int(const Scope& scope, const json::Value& value) {
  return symbol(scope, value, ValueKind::Int, "as_int", as_int);
}
Argument as_sym_float(const Scope& scope, const json::Value& value) {
  return symbol(scope, value, ValueKind::Float, "as_float", as_float);
}
Argument as_sym_bool(const Scope& scope, const json::Value& value) {
  return symbol(scope, value, ValueKind::Bool, "as_bool", as_bool);
}

Argument as_graph(const Scope& scope, const json::Value& value) {
  const json::Struct argument(value);
  argument.required("name").string();
  const json::Value graph = argument.required("graph");
  if (scope.depth + 1 > kMaxNesting) {
    graph.fail(ErrorCode::Limit, fmt::format("sub-graphs nest deeper than {} levels", kMaxNesting));
  }
  return std::make_shared<Graph>(read_graph(scope.context, graph, {}, scope.depth + 1));
}

Argument unsupported(const Scope&, const json::Value& value) {
  value.fail(ErrorCode::Unsupported, "no operator that can be exported takes such an argument");
}

struct TagRow {
  std::string_view tag;
  Read read;
};

// Roughly by how often they occur.
constexpr TagRow kTags[] = {
    {"as_tensor", as_tensor},
    {"as_int", as_int},
    {"as_ints", many<as_int>},
    {"as_tensors", many<any_value>},
    {"as_float", as_float},
    {"as_bool", as_bool},
    {"as_none", as_none},
    {"as_sym_int", as_sym_int},
    {"as_sym_ints", many<as_sym_int>},
    {"as_custom_obj", as_custom_obj},
    {"as_scalar_type", as_scalar_type},
    {"as_device", as_device},
    {"as_layout", as_layout},
    {"as_memory_format", as_memory_format},
    {"as_string", as_string},
    {"as_strings", many<as_string>},
    {"as_bools", many<as_bool>},
    {"as_floats", many<as_float>},
    {"as_optional_tensor", as_optional_tensor},
    {"as_optional_tensors", many<as_optional_tensor>},
    {"as_nested_tensors", many<many<any_value>>},
    {"as_int_lists", many<many<as_int>>},
    {"as_float_lists", many<many<as_float>>},
    {"as_sym_float", as_sym_float},
    {"as_sym_floats", many<as_sym_float>},
    {"as_sym_bool", as_sym_bool},
    {"as_sym_bools", many<as_sym_bool>},
    {"as_graph", as_graph},
    {"as_complex", unsupported},
    {"as_operator", unsupported},
    {"as_string_to_argument", unsupported},
};

}  // namespace

Argument read_argument(ReadContext& context,
                       const ValueScope& values,
                       const json::Value& value,
                       std::size_t depth) {
  const json::Union argument(value);
  const std::string_view tag = argument.tag();
  for (const TagRow& row : kTags) {
    if (row.tag == tag) return row.read({context, values, depth}, argument.content());
  }
  value.fail_malformed(
      fmt::format("unknown tag '{}' (schema version 8.{})", printable(tag), context.schema_minor));
}

ReferenceReader::ReferenceReader(const json::Value& value) : argument_(value) {
  const std::string_view tag = argument_.tag();
  if (tag == "as_tensor" || tag == "as_custom_obj") {
    kind_ = tag == "as_tensor" ? ValueKind::Tensor : ValueKind::Object;
    name_.emplace(json::Struct(argument_.content()).required("name"));
    name_->string();
    return;
  }
  if (tag == "as_sym_int") {
    kind_ = ValueKind::Int;
  } else if (tag == "as_sym_float") {
    kind_ = ValueKind::Float;
  } else if (tag == "as_sym_bool") {
    kind_ = ValueKind::Bool;
  } else {
    return;
  }
  symbol_.emplace(argument_.content());
  if (!symbol_->is("as_name")) return;
  name_.emplace(symbol_->content());
  name_->string();
}

bool ReferenceReader::same_as(const ReferenceReader& other) const {
  if (tag() != other.tag() || (name() == nullptr) != (other.name() == nullptr)) return false;
  if (name() != nullptr) return name()->string() == other.name()->string();
  return tag() == "as_none" || content().text() == other.content().text();
}

std::string ReferenceReader::text() const {
  if (name() != nullptr) return fmt::format("'{}'", printable(name()->string()));
  return fmt::format("{} {}", printable(tag()), printable(content().text()));
}

}  // namespace ptec
