#include "torch_export/read_meta.h"

#include <fmt/format.h>

#include <utility>

#include "ir/layout_codes.h"
#include "support/error.h"
#include "support/limits.h"
#include "support/printable.h"

namespace ptec {
namespace {

std::optional<std::int64_t> read_hint(const std::optional<json::Value>& value) {
  if (!value) return std::nullopt;
  const json::Union hint(*value);
  if (hint.is("as_int")) return hint.content().integer();
  if (!hint.is("as_float") && !hint.is("as_bool")) hint.fail_unknown_tag();
  return std::nullopt;  // only integers are sizes
}

Dim read_sym_expr(ReadContext& context, const json::Value& value) {
  const json::Struct expr(value);
  const json::Value text_value = expr.required("expr_str");
  const std::string_view text = text_value.string();
  auto [known, added] = context.known_exprs.try_emplace(text);
  if (added) {
    try {
      known->second.dim = context.exprs.parse_srepr(text);
    } catch (...) {
      context.known_exprs.erase(known);
      throw;
    }
  }
  ReadContext::KnownExpr& entry = known->second;
  if (!entry.dim.is_number() && !entry.has_hint) {
    if (const std::optional<std::int64_t> hint = read_hint(expr.optional("hint"))) {
      Expr hinted = context.exprs.at(entry.dim.expr());
      hinted.hint = hint;
      context.exprs.intern(std::move(hinted));
      entry.has_hint = true;
    }
  }
  return entry.dim;
}

std::vector<Dim> read_dims(ReadContext& context, const json::Value& value) {
  std::vector<Dim> out;
  const std::size_t rank = value.item_count();
  if (value.element().is_array() && rank > kMaxRank) {
    value.fail(ErrorCode::Limit,
               fmt::format("{} dimensions; a tensor has at most {}", rank, kMaxRank));
  }
  out.reserve(rank);
  value.each_item([&](const json::Value& item) {
    const Dim dim = read_sym_int(context, item);
    if (dim.is_number() && dim.number() < 0) {
      item.fail_malformed(fmt::format("{} is negative", dim.number()));
    }
    out.push_back(dim);
  });
  return out;
}

}  // namespace

Dim read_sym_int(ReadContext& context, const json::Value& value) {
  const json::Union number(value);
  if (number.is("as_int")) return Dim(number.content().integer());
  if (!number.is("as_expr")) number.fail_unknown_tag();
  return read_sym_expr(context, number.content());
}

SymScalar read_sym_float(ReadContext& context, const json::Value& value) {
  SymScalar out;
  out.kind = ScalarKind::Float;
  const json::Union number(value);
  if (number.is("as_float")) {
    out.number = number.content().real();
  } else if (number.is("as_expr")) {
    out.value = read_sym_expr(context, number.content());
  } else {
    number.fail_unknown_tag();
  }
  return out;
}

SymScalar read_sym_bool(ReadContext& context, const json::Value& value) {
  SymScalar out;
  out.kind = ScalarKind::Bool;
  const json::Union number(value);
  if (number.is("as_bool")) {
    out.value = Dim(number.content().boolean() ? 1 : 0);
  } else if (number.is("as_expr")) {
    out.value = read_sym_expr(context, number.content());
  } else {
    number.fail_unknown_tag();
  }
  return out;
}

Device read_device(const json::Value& value) {
  const json::Struct device(value);
  Device out;
  const json::Value type = device.required("type");
  out.type = type.string();
  if (out.type.empty()) type.fail_malformed("a device has a type");
  if (const std::optional<json::Value> index = device.optional("index")) {
    out.index = index->integer();
    if (*out.index < 0) index->fail_malformed(fmt::format("{} is negative", *out.index));
  }
  return out;
}

ScalarType read_scalar_type(const json::Value& value) {
  const std::int64_t code = value.integer();
  const std::optional<ScalarType> type = find_scalar_type_by_pt2_code(code);
  if (!type) value.fail_malformed(fmt::format("{} is no element type", code));
  return *type;
}

LayoutCode read_layout(const json::Value& value) {
  const std::int64_t code = value.integer();
  if (!find_layout_name(code)) value.fail_malformed(fmt::format("{} is no layout", code));
  return LayoutCode{code};
}

MemoryFormatCode read_memory_format(const json::Value& value) {
  const std::int64_t code = value.integer();
  if (!find_memory_format_name(code)) {
    value.fail_malformed(fmt::format("{} is no memory format", code));
  }
  return MemoryFormatCode{code};
}

TensorMeta read_tensor_meta(ReadContext& context, const json::Value& value) {
  const json::Struct meta(value);
  TensorMeta out;
  out.dtype = read_scalar_type(meta.required("dtype"));
  const json::Value sizes = meta.required("sizes");
  out.sizes = read_dims(context, sizes);
  out.requires_grad = meta.required("requires_grad").boolean();
  const json::Value device = meta.required("device");
  out.device = read_device(device);
  const json::Value strides = meta.required("strides");
  out.strides = read_dims(context, strides);
  if (out.strides.size() != out.sizes.size()) {
    strides.fail_malformed(
        fmt::format("{} strides for {} sizes", out.strides.size(), out.sizes.size()));
  }
  const json::Value offset = meta.required("storage_offset");
  out.storage_offset = read_sym_int(context, offset);
  if (out.storage_offset.is_number() && out.storage_offset.number() < 0) {
    offset.fail_malformed(fmt::format("{} is negative", out.storage_offset.number()));
  }
  const json::Value layout = meta.required("layout");
  const LayoutCode code = read_layout(layout);
  if (code != kStrided) {
    layout.fail(ErrorCode::Unsupported,
                fmt::format("a tensor of layout {}; only strided ones can be exported",
                            *find_layout_name(static_cast<std::int64_t>(code))));
  }
  return out;
}

std::string shape_text(const ExprPool& exprs, const std::vector<Dim>& sizes) {
  std::string out = "[";
  for (const Dim& size : sizes) {
    if (out.size() > 1) out += ",";
    out += exprs.print(size);
  }
  return out + "]";
}

}  // namespace ptec
