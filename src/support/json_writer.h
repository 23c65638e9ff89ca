// Writes JSON front to back, indented, keys in the order of the calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptec {

/// Every object's member is `key` and then a value. Strings are escaped to ASCII (json_text.h).
/// Misuse is Internal.
class JsonWriter {
 public:
  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }
  void key(std::string_view name);

  void text(std::string_view value);
  void number(std::int64_t value);
  void count(std::uint64_t value);
  void real(double value);  // "NaN", "Infinity", "-Infinity" as strings, since JSON has no numbers
                            // for them
  void boolean(bool value);
  void null();

  /// A member of an object in one call.
  void text(std::string_view name, std::string_view value) { key(name), text(value); }
  void number(std::string_view name, std::int64_t value) { key(name), number(value); }
  void count(std::string_view name, std::uint64_t value) { key(name), count(value); }
  void boolean(std::string_view name, bool value) { key(name), boolean(value); }

  /// The whole text. Everything that was begun has ended.
  std::string finish();

 private:
  struct Level {
    char close;
    bool empty;
    bool has_key;
  };

  void begin(char open);
  void end(char close);
  void before_value();
  void indent();

  std::string out_;
  std::vector<Level> levels_;
};

}  // namespace ptec
