#include "torch_export/json.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

#include "support/bytes.h"
#include "support/error.h"
#include "support/json_text.h"
#include "support/limits.h"
#include "support/printable.h"
#include "torch_export/json_fault.h"

namespace ptec::json {
namespace {

using simdjson::dom::element_type;

// A level of a sub-graph takes eight levels of JSON, down to its argument lists.
constexpr std::size_t kMaxDepth = kMaxNesting * 8 + 16;

std::string_view kind_of(simdjson::dom::element element) {
  switch (element.type()) {
    case element_type::ARRAY:
      return "a list";
    case element_type::OBJECT:
      return "an object";
    case element_type::STRING:
      return "a string";
    case element_type::BOOL:
      return "a bool";
    case element_type::NULL_VALUE:
      return "null";
    case element_type::DOUBLE:
      return "a real number";
    case element_type::UINT64:
      return "an integer over 63 bits";
    case element_type::INT64:
      break;
  }
  return "an integer";
}

bool is_plain(std::string_view key) {
  if (key.empty() || key.size() > 80) return false;
  for (const char c : key) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (!plain) return false;
  }
  return true;
}

void append_text(std::string& out, simdjson::dom::element element);

void append_array(std::string& out, simdjson::dom::array array) {
  out += '[';
  bool first = true;
  for (const simdjson::dom::element item : array) {
    if (!first) out += ", ";
    first = false;
    append_text(out, item);
  }
  out += ']';
}

void append_object(std::string& out, simdjson::dom::object object) {
  out += '{';
  bool first = true;
  for (const simdjson::dom::key_value_pair member : object) {
    if (!first) out += ", ";
    first = false;
    append_json_string(out, member.key);
    out += ": ";
    append_text(out, member.value);
  }
  out += '}';
}

void append_text(std::string& out, simdjson::dom::element element) {
  switch (element.type()) {
    case element_type::ARRAY:
      return append_array(out, element.get_array().value_unsafe());
    case element_type::OBJECT:
      return append_object(out, element.get_object().value_unsafe());
    case element_type::STRING:
      return append_json_string(out, element.get_string().value_unsafe());
    case element_type::BOOL:
      out += element.get_bool().value_unsafe() ? "true" : "false";
      return;
    case element_type::NULL_VALUE:
      out += "null";
      return;
    case element_type::INT64:
      out += std::to_string(element.get_int64().value_unsafe());
      return;
    case element_type::UINT64:
      out += std::to_string(element.get_uint64().value_unsafe());
      return;
    case element_type::DOUBLE: {
      std::string number = fmt::format("{}", element.get_double().value_unsafe());
      if (number.find_first_of(".e") == std::string::npos) number += ".0";
      out += number;
      return;
    }
  }
}

[[noreturn]] void fail_text(std::string_view text, std::string_view message) {
  const std::optional<Fault> fault = find_fault(text);
  if (!fault) fail(ErrorCode::Malformed, fmt::format("this is no json: {}", message));
  if (fault->is_integer) {
    fail(ErrorCode::Malformed,
         fmt::format("the json has an integer over 64 bits at byte {}", fault->offset_bytes));
  }
  fail(ErrorCode::Malformed,
       fmt::format("this is no json: wanted {} at byte {}", fault->wanted, fault->offset_bytes));
}

}  // namespace

Document Document::parse(std::vector<std::byte> text) {
  Document out;
  simdjson::dom::parser parser;
  const std::size_t size = text.size();
  // simdjson reads, but does not use, a few bytes behind the text.
  text.resize(size + simdjson::SIMDJSON_PADDING);
  if (const auto problem = parser.allocate(size, kMaxDepth)) {
    fail(ErrorCode::Limit,
         fmt::format("a json text of {} bytes: {}", size, simdjson::error_message(problem)));
  }
  const std::string_view view = as_text(text);
  const auto problem = parser.parse_into_document(out.document_, view.data(), size, false).error();
  if (problem == simdjson::DEPTH_ERROR) {
    fail(ErrorCode::Limit, fmt::format("the json is nested deeper than {} levels", kMaxDepth));
  }
  if (problem == simdjson::MEMALLOC || problem == simdjson::CAPACITY) {
    fail(ErrorCode::Limit,
         fmt::format("a json text of {} bytes: {}", size, simdjson::error_message(problem)));
  }
  if (problem) {
    fail_text(view.substr(0, size), simdjson::error_message(problem));
  }
  return out;
}

Document Document::parse(std::string_view text) {
  const Bytes bytes = as_bytes(text);
  std::vector<std::byte> copy;
  copy.reserve(bytes.size() + simdjson::SIMDJSON_PADDING);
  copy.assign(bytes.begin(), bytes.end());
  return parse(std::move(copy));
}

bool Value::boolean() const {
  bool out = false;
  if (element_.get(out)) fail_kind("a bool");
  return out;
}

std::int64_t Value::integer() const {
  std::int64_t out = 0;
  if (element_.type() != element_type::INT64 || element_.get(out)) fail_kind("an integer");
  return out;
}

double Value::real() const {
  double out = 0;
  if (!element_.get(out)) return out;
  std::string_view text;
  if (element_.get(text)) fail_kind("a number");
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  fail_malformed(fmt::format("wanted a number, found the string '{}'", printable(text)));
}

std::string_view Value::string() const {
  std::string_view out;
  if (element_.get(out)) fail_kind("a string");
  return out;
}

simdjson::dom::array Value::array() const {
  simdjson::dom::array out;
  if (element_.get(out)) fail_kind("a list");
  return out;
}

simdjson::dom::object Value::object() const {
  simdjson::dom::object out;
  if (element_.get(out)) fail_kind("an object");
  return out;
}

std::size_t Value::item_count() const {
  const bool list = element_.is_array();
  const std::size_t stored = list ? array().size() : object().size();
  if (stored < 0xFFFFFF) return stored;  // simdjson counts no further
  std::size_t count = 0;
  if (list) {
    for ([[maybe_unused]] const auto item : array()) ++count;
  } else {
    for ([[maybe_unused]] const auto member : object()) ++count;
  }
  return count;
}

std::string Value::text() const {
  std::string out;
  append_text(out, element_);
  return out;
}

std::string Value::path() const {
  std::string out = parent_ == nullptr ? std::string() : parent_->path();
  if (parent_ == nullptr) return out;
  if (index_ != kNoIndex) {
    out += fmt::format("[{}]", index_);
  } else if (is_plain(key_)) {
    if (!out.empty()) out += '.';
    out += key_;
  } else {
    out += fmt::format("['{}']", printable(key_));
  }
  return out;
}

void Value::fail(ErrorCode code, std::string_view message) const {
  const std::string where = path();
  ptec::fail(code, fmt::format("{}: {}", where.empty() ? "top level" : where, message));
}

void Value::fail_kind(std::string_view wanted) const {
  fail_malformed(fmt::format("wanted {}, found {}", wanted, kind_of(element_)));
}

Struct::Struct(const Value& value) : value_(value) {
  for (const simdjson::dom::key_value_pair member : value.object()) {
    add({member.key, member.value});
  }
}

void Struct::add(const Field& field_in) {
  const std::string_view key = field_in.key;
  const std::size_t hash = key.empty()
                               ? 0
                               : key.size() * 5 + static_cast<unsigned char>(key.front()) * 3 +
                                     static_cast<unsigned char>(key.back());
  const std::uint64_t bit = std::uint64_t{1} << (hash % 64);
  if ((seen_ & bit) != 0) {
    if (count_ > 4096)
      value_.fail(ErrorCode::Limit, "an object of a fixed shape has over 4096 keys");
    for (std::size_t i = 0; i < count_; ++i) {
      if (field(i).key == key) {
        value_.fail_malformed(fmt::format("key '{}' is there twice", printable(key)));
      }
    }
  }
  seen_ |= bit;
  if (count_ < kInlineFields) {
    inline_[count_] = field_in;
  } else {
    more_.push_back(field_in);
  }
  ++count_;
}

const Struct::Field* Struct::find(std::string_view name) const {
  for (std::size_t tried = 0; tried < count_; ++tried) {
    const std::size_t index = expected_ < count_ ? expected_ : 0;
    expected_ = index + 1;
    if (field(index).key == name) return &field(index);
  }
  return nullptr;
}

Value Struct::required(std::string_view name) const {
  const Field* found = find(name);
  if (found == nullptr) value_.fail_malformed(fmt::format("field '{}' is missing", name));
  return Value(found->element, value_, found->key);
}

std::optional<Value> Struct::optional(std::string_view name) const {
  const Field* found = find(name);
  if (found == nullptr || found->element.is_null()) return std::nullopt;
  return Value(found->element, value_, found->key);
}

Union::Union(const Value& value) : value_(value) {
  const simdjson::dom::object object = value.object();
  if (object.size() != 1) {
    std::string tags;
    for (const simdjson::dom::key_value_pair member : object) {
      if (tags.size() > 200) break;
      tags += fmt::format("{}'{}'", tags.empty() ? ": " : ", ", printable(member.key, 40));
    }
    value.fail_malformed(
        fmt::format("a union has exactly one tag, found {}{}", object.size(), tags));
  }
  const simdjson::dom::key_value_pair member = *object.begin();
  tag_ = member.key;
  content_.emplace(member.value, value, tag_);
}

void Union::fail_unknown_tag() const {
  value_.fail_malformed(fmt::format("unknown tag '{}'", printable(tag_)));
}

}  // namespace ptec::json
