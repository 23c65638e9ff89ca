#include "support/json_writer.h"

#include <fmt/format.h>

#include <cmath>

#include "support/error.h"
#include "support/json_text.h"

namespace ptec {

void JsonWriter::indent() {
  out_ += '\n';
  out_.append(2 * levels_.size(), ' ');
}

void JsonWriter::before_value() {
  if (levels_.empty()) {
    PTEC_INVARIANT(out_.empty(), "a JSON text has one value");
    return;
  }
  Level& level = levels_.back();
  if (level.close == '}') {
    PTEC_INVARIANT(level.has_key, "a JSON member has a key");
    level.has_key = false;
    return;
  }
  if (!level.empty) out_ += ',';
  level.empty = false;
  indent();
}

void JsonWriter::key(std::string_view name) {
  PTEC_INVARIANT(!levels_.empty() && levels_.back().close == '}' && !levels_.back().has_key,
                 "a JSON key stands in an object");
  Level& level = levels_.back();
  if (!level.empty) out_ += ',';
  level.empty = false;
  level.has_key = true;
  indent();
  append_json_string(out_, name);
  out_ += ": ";
}

void JsonWriter::begin(char open) {
  before_value();
  out_ += open;
  levels_.push_back({open == '{' ? '}' : ']', true, false});
}

void JsonWriter::end(char close) {
  PTEC_INVARIANT(!levels_.empty() && levels_.back().close == close && !levels_.back().has_key,
                 "JSON brackets match");
  const bool empty = levels_.back().empty;
  levels_.pop_back();
  if (!empty) indent();
  out_ += close;
}

void JsonWriter::text(std::string_view value) {
  before_value();
  append_json_string(out_, value);
}

void JsonWriter::number(std::int64_t value) {
  before_value();
  out_ += fmt::format("{}", value);
}

void JsonWriter::count(std::uint64_t value) {
  before_value();
  out_ += fmt::format("{}", value);
}

void JsonWriter::real(double value) {
  if (std::isnan(value)) return text("NaN");
  if (std::isinf(value)) return text(value > 0 ? "Infinity" : "-Infinity");
  before_value();
  out_ += fmt::format("{}", value);
}

void JsonWriter::boolean(bool value) {
  before_value();
  out_ += value ? "true" : "false";
}

void JsonWriter::null() {
  before_value();
  out_ += "null";
}

std::string JsonWriter::finish() {
  PTEC_INVARIANT(levels_.empty() && !out_.empty(), "the JSON text is complete");
  return std::move(out_);
}

}  // namespace ptec
