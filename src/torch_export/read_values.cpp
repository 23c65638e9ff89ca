#include "torch_export/read_values.h"

#include <fmt/format.h>

#include "support/error.h"
#include "support/printable.h"

namespace ptec {
namespace {

struct MapRow {
  ValueKind kind;
  std::string_view field;
  std::string_view noun;
  bool required;
};

constexpr MapRow kMaps[] = {
    {ValueKind::Tensor, "tensor_values", "tensor", true},
    {ValueKind::Int, "sym_int_values", "symbolic int", true},
    {ValueKind::Float, "sym_float_values", "symbolic float", false},
    {ValueKind::Bool, "sym_bool_values", "symbolic bool", true},
    {ValueKind::Object, "custom_obj_values", "custom object", false},
};

const MapRow& row(ValueKind kind) { return kMaps[static_cast<std::size_t>(kind)]; }

std::string place_text(Place place) {
  return fmt::format("{}[{}]", place.list == Place::List::Inputs ? "inputs" : "nodes", place.index);
}

[[noreturn]] void fail_unknown(const json::Value& name) {
  name.fail_malformed(fmt::format("value '{}' is in no map of values", printable(name.string())));
}

}  // namespace

ValueScope::ValueScope(const json::Struct& graph) {
  std::size_t count = 0;
  for (const MapRow& map : kMaps) {
    std::optional<json::Value>& slot = maps_[static_cast<std::size_t>(map.kind)];
    if (map.required) {
      slot.emplace(graph.required(map.field));
    } else if (const std::optional<json::Value> found = graph.optional(map.field)) {
      slot.emplace(*found);
    }
    if (slot) count += slot->item_count();
  }
  values_.reserve(count);
  for (const MapRow& map : kMaps) {
    const std::optional<json::Value>& slot = maps_[static_cast<std::size_t>(map.kind)];
    if (slot) add_map(*slot, map.kind);
  }
}

void ValueScope::add_map(const json::Value& map, ValueKind kind) {
  for (const simdjson::dom::key_value_pair member : map.object()) {
    const auto [known, added] =
        values_.try_emplace(member.key, Entry{member.value, kind, kNoNode, {}});
    if (!added) {
      map.fail_malformed(fmt::format("value '{}' is there twice, first in {}",
                                     printable(member.key),
                                     row(known->second.kind).field));
    }
  }
}

const json::Value& ValueScope::map_of(ValueKind kind) const {
  return *maps_[static_cast<std::size_t>(kind)];
}

const ValueScope::Entry& ValueScope::entry(const json::Value& name,
                                           std::optional<ValueKind> wanted) const {
  const std::string_view text = name.string();
  const auto found = values_.find(text);
  if (found == values_.end()) fail_unknown(name);
  if (wanted && found->second.kind != *wanted) {
    name.fail_malformed(fmt::format("value '{}' is a {}, wanted a {}",
                                    printable(text),
                                    row(found->second.kind).noun,
                                    row(*wanted).noun));
  }
  return found->second;
}

ValueItem ValueScope::describe(ReadContext& context,
                               const json::Value& name,
                               std::optional<ValueKind> wanted) const {
  const Entry& known = entry(name, wanted);
  const json::Value meta(known.meta, map_of(known.kind), name.string());
  switch (known.kind) {
    case ValueKind::Tensor:
      return read_tensor_meta(context, meta);
    case ValueKind::Int: {
      SymScalar out;
      out.value = read_sym_int(context, meta);
      return out;
    }
    case ValueKind::Float:
      return read_sym_float(context, meta);
    case ValueKind::Bool:
      return read_sym_bool(context, meta);
    case ValueKind::Object:
      break;
  }
  return ObjectRef{};  // the signature knows which
}

void ValueScope::define(const json::Value& name, NodeId node, Place place) {
  const auto found = values_.find(name.string());
  if (found == values_.end()) fail_unknown(name);
  Entry& known = found->second;
  if (known.node != kNoNode) {
    name.fail_malformed(fmt::format("value '{}' is defined twice, by {} and by {}",
                                    printable(name.string()),
                                    place_text(known.place),
                                    place_text(place)));
  }
  known.node = node;
  known.place = place;
}

NodeId ValueScope::use(const json::Value& name, std::optional<ValueKind> wanted) const {
  const Entry& known = entry(name, wanted);
  if (known.node == kNoNode) {
    name.fail_malformed(
        fmt::format("value '{}' is used, but not defined before", printable(name.string())));
  }
  return known.node;
}

std::string ValueScope::unique_name(std::string_view wanted) {
  const auto take = [this](const std::string& name) {
    return !values_.contains(name) && other_names_.insert(name).second;
  };
  std::string name(wanted);
  if (take(name)) return name;
  std::size_t& suffix = next_suffix_[name];
  while (true) {
    std::string candidate = name + "_" + std::to_string(++suffix);
    if (take(candidate)) return candidate;
  }
}

}  // namespace ptec
