// The named values of one graph: what each is, and which node defines it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "ir/program.h"
#include "torch_export/json.h"
#include "torch_export/read_meta.h"

namespace ptec {

enum class ValueKind : std::uint8_t { Tensor, Int, Float, Bool, Object };

/// Where in the graph something is defined, for messages.
struct Place {
  enum class List : std::uint8_t { Inputs, Nodes } list = List::Inputs;
  std::size_t index = 0;
};

class ValueScope {
 public:
  /// Reads the keys of the five value maps. `graph` must outlive the scope.
  explicit ValueScope(const json::Struct& graph);
  ValueScope(const ValueScope&) = delete;
  ValueScope& operator=(const ValueScope&) = delete;

  /// What the value named by `name` is. Throws Malformed when no map has it, or when it is not of
  /// the kind `wanted`.
  ValueItem describe(ReadContext& context,
                     const json::Value& name,
                     std::optional<ValueKind> wanted) const;
  /// From here on `name` stands for `node`. Throws Malformed the second time.
  void define(const json::Value& name, NodeId node, Place place);
  /// The node that defines `name`. Throws Malformed when there is none, or none yet.
  NodeId use(const json::Value& name, std::optional<ValueKind> wanted) const;

  /// `wanted`, or `wanted_1`, ..., for a node whose name names no value; taken from then on.
  std::string unique_name(std::string_view wanted);

 private:
  struct Entry {
    simdjson::dom::element meta;
    ValueKind kind = ValueKind::Tensor;
    NodeId node = kNoNode;
    Place place;
  };

  void add_map(const json::Value& map, ValueKind kind);
  const Entry& entry(const json::Value& name, std::optional<ValueKind> wanted) const;
  const json::Value& map_of(ValueKind kind) const;

  std::unordered_map<std::string_view, Entry> values_;        // looked up only
  std::unordered_set<std::string> other_names_;               // looked up only
  std::unordered_map<std::string, std::size_t> next_suffix_;  // looked up only
  std::optional<json::Value> maps_[5];                        // by kind
};

}  // namespace ptec
