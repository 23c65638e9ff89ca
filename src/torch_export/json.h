// Strict reading of JSON by schema: typed access, and messages that say where in the document.
//
// A Value knows the value that it was taken out of, so that a message can name
// `graph_module.graph.nodes[3].target` without any path being built while nothing fails. What a
// value was taken from must therefore stay where it is while the value is in use; rvalues are
// refused for that.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptec/error.h"

namespace ptec::json {

/// A parsed text. Strings that its values hand out live as long as it does.
class Document {
 public:
  /// Throws Malformed when `text` is no JSON. Frees the text before it returns.
  static Document parse(std::vector<std::byte> text);
  static Document parse(std::string_view text);

  simdjson::dom::element root() const { return document_.root(); }

 private:
  simdjson::dom::document document_;
};

class Value {
 public:
  explicit Value(const Document& document) : element_(document.root()) {}
  explicit Value(Document&&) = delete;
  Value(simdjson::dom::element element, const Value& parent, std::string_view key)
      : element_(element), parent_(&parent), key_(key) {}
  Value(simdjson::dom::element element, const Value& parent, std::size_t index)
      : element_(element), parent_(&parent), index_(index) {}

  // Each throws Malformed for another kind. A real number may be written as an integer, or as
  // "Infinity", "-Infinity" or "NaN".
  bool is_null() const { return element_.is_null(); }
  bool is_string() const { return element_.is_string(); }
  bool boolean() const;
  std::int64_t integer() const;
  double real() const;
  std::string_view string() const;
  simdjson::dom::array array() const;
  simdjson::dom::object object() const;

  /// Calls `visit(const Value& item)` in order.
  template <typename Visit>
  void each_item(const Visit& visit) const {
    std::size_t index = 0;
    for (const simdjson::dom::element item : array()) visit(Value(item, *this, index++));
  }
  /// Calls `visit(std::string_view key, const Value& member)` in order. Does not look for
  /// duplicates.
  template <typename Visit>
  void each_member(const Visit& visit) const {
    for (const simdjson::dom::key_value_pair member : object()) {
      visit(member.key, Value(member.value, *this, member.key));
    }
  }
  std::size_t item_count() const;

  /// JSON text with the spaces that Python's json.dumps puts.
  std::string text() const;

  /// "graph_module.graph.nodes[3].target"
  std::string path() const;
  /// Throws with the path in front of `message`.
  [[noreturn]] void fail(ErrorCode code, std::string_view message) const;
  [[noreturn]] void fail_malformed(std::string_view message) const {
    fail(ErrorCode::Malformed, message);
  }
  simdjson::dom::element element() const { return element_; }

 private:
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

  [[noreturn]] void fail_kind(std::string_view wanted) const;

  simdjson::dom::element element_;
  const Value* parent_ = nullptr;
  std::string_view key_;
  std::size_t index_ = kNoIndex;
};

/// An object with fields of fixed names. Fields that nobody asks for are skipped; one key twice is
/// Malformed.
class Struct {
 public:
  explicit Struct(const Value& value);
  explicit Struct(Value&&) = delete;

  Value required(std::string_view name) const;
  /// Nothing when the field is missing or null.
  std::optional<Value> optional(std::string_view name) const;
  const Value& value() const { return value_; }

 private:
  struct Field {
    std::string_view key;
    simdjson::dom::element element;
  };
  static constexpr std::size_t kInlineFields =
      8;  // tensors have 7; two structs of a program have more

  const Field& field(std::size_t index) const {
    return index < kInlineFields ? inline_[index] : more_[index - kInlineFields];
  }
  const Field* find(std::string_view name) const;
  void add(const Field& field);

  const Value& value_;
  Field inline_[kInlineFields];
  std::vector<Field> more_;
  std::size_t count_ = 0;
  std::uint64_t seen_ = 0;            // a bit a hash of a key
  mutable std::size_t expected_ = 0;  // writers keep the order of the schema, and so do readers
};

/// An object with exactly one key, which says what the content is.
class Union {
 public:
  explicit Union(const Value& value);
  explicit Union(Value&&) = delete;
  Union(const Union&) = delete;
  Union& operator=(const Union&) = delete;

  std::string_view tag() const { return tag_; }
  const Value& content() const { return *content_; }
  bool is(std::string_view tag) const { return tag_ == tag; }
  /// Malformed: the tag is none of the schema.
  [[noreturn]] void fail_unknown_tag() const;

 private:
  const Value& value_;
  std::string_view tag_;
  std::optional<Value> content_;
};

}  // namespace ptec::json
