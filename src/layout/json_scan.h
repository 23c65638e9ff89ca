// A strict scanner of JSON in memory: no allocation, no exception, no recursion. C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace ptec {

namespace json_scan {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The digit that a letter stands for; 16 for none.
inline unsigned hex_digit(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 16;
}

/// The number that four hex digits stand for; over 0xFFFF when one of them is none.
inline std::uint32_t hex4(const char* digits) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned digit = hex_digit(digits[i]);
    if (digit == 16) return 0x10000;
    value = value * 16 + digit;
  }
  return value;
}

inline bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
inline bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// Bytes of the UTF-8 sequence at `at`, before `end`; 0 when it is not well-formed.
/// Source: Unicode 15, table 3-7.
inline std::size_t utf8_length(const char* at, const char* end) {
  const auto byte = [at](std::size_t i) { return static_cast<unsigned char>(at[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || static_cast<std::size_t>(end - at) < length) return 0;
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return length;
}

}  // namespace json_scan

/// A string as it stands between its quotes, escapes and all. Borrows bytes that JsonScanner has
/// found to be well-formed; what it stands for is decoded byte for byte, into nobody's memory.
class JsonText {
 public:
  JsonText() = default;
  JsonText(std::string_view raw, bool escaped) : raw_(raw), escaped_(escaped) {}

  std::string_view raw() const { return raw_; }
  bool empty() const { return raw_.empty(); }

  /// Bytes of UTF-8 that it stands for, at most raw().size().
  std::size_t size_bytes() const {
    if (!escaped_) return raw_.size();
    std::size_t size = 0;
    for (Decoder decoder(raw_); decoder.next() >= 0;) ++size;
    return size;
  }

  /// Writes size_bytes() bytes and no zero behind them.
  void copy_to(char* out) const {
    for (Decoder decoder(raw_);;) {
      const int byte = decoder.next();
      if (byte < 0) return;
      *out++ = static_cast<char>(byte);
    }
  }

  /// Whether a zero byte is in it, which would end it early for whoever takes it as a C string.
  bool has_zero() const {
    if (!escaped_) return false;  // a bare one is no JSON
    for (Decoder decoder(raw_);;) {
      const int byte = decoder.next();
      if (byte <= 0) return byte == 0;
    }
  }

  /// Below, at or above 0, by the bytes of what the two stand for.
  int compare(const JsonText& other) const {
    if (!escaped_ && !other.escaped_) return raw_.compare(other.raw_);
    Decoder mine(raw_);
    Decoder theirs(other.raw_);
    for (;;) {
      const int a = mine.next();
      const int b = theirs.next();
      if (a != b) return a < b ? -1 : 1;
      if (a < 0) return 0;
    }
  }
  friend bool operator==(const JsonText& a, std::string_view b) {
    return a.compare(JsonText(b, false)) == 0;
  }
  friend bool operator!=(const JsonText& a, std::string_view b) { return !(a == b); }

 private:
  class Decoder {
   public:
    explicit Decoder(std::string_view raw) : at_(raw.data()), end_(raw.data() + raw.size()) {}

    /// The next byte of what the string stands for; -1 at its end.
    int next() {
      if (tail_ != 0) return static_cast<int>(0x80 | ((point_ >> (6 * --tail_)) & 0x3F));
      if (at_ == end_) return -1;
      if (*at_ != '\\') return static_cast<unsigned char>(*at_++);
      const char kind = at_[1];
      at_ += 2;
      if (kind == 'u') return next_unicode();
      constexpr std::string_view kKinds = "bfnrt";
      constexpr std::string_view kBytes = "\b\f\n\r\t";
      const std::size_t index = kKinds.find(kind);
      return index == std::string_view::npos ? kind : kBytes[index];
    }

   private:
    int next_unicode() {
      point_ = json_scan::hex4(at_);
      at_ += 4;
      if (json_scan::is_high_surrogate(point_)) {
        point_ = 0x10000 + ((point_ - 0xD800) << 10) + (json_scan::hex4(at_ + 2) - 0xDC00);
        at_ += 6;
      }
      if (point_ < 0x80) return static_cast<int>(point_);
      tail_ = point_ < 0x800 ? 1 : point_ < 0x10000 ? 2 : 3;
      constexpr unsigned kLead[] = {0xC0, 0xE0, 0xF0};
      return static_cast<int>(kLead[tail_ - 1] | (point_ >> (6 * tail_)));
    }

    const char* at_;
    const char* end_;
    std::uint32_t point_ = 0;  // what an escape stands for
    unsigned tail_ = 0;        // how many bytes of its UTF-8 are still to come
  };

  std::string_view raw_;
  bool escaped_ = false;
};

enum class JsonFault : std::uint8_t {
  None,
  Syntax,     // not the grammar of RFC 8259
  BadText,    // a string that is no UTF-8, or that has half a surrogate pair
  TooDeep,    // nested over JsonScanner::kMaxDepth
  OutOfRange  // an integer that 64 bits do not hold
};

/// Walks over JSON from front to back. A function that returns false has set fault(), and
/// offset_bytes() says where; nothing else may be called afterwards. Any bytes are safe here:
/// fuzz/blob_fuzz.cpp.
class JsonScanner {
 public:
  static constexpr unsigned kMaxDepth = 64;

  explicit JsonScanner(std::string_view json)
      : begin_(json.data()), at_(json.data()), end_(json.data() + json.size()) {}

  JsonFault fault() const { return fault_; }
  /// How far it has come, or where the fault is.
  std::size_t offset_bytes() const { return static_cast<std::size_t>(at_ - begin_); }

  /// The first byte of what follows, behind white space; 0 at the end.
  char peek() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
    return at_ == end_ ? '\0' : *at_;
  }
  bool at_end() { return peek() == '\0' && at_ == end_; }

  bool expect(char punctuation) {
    if (peek() != punctuation) return fail(JsonFault::Syntax);
    ++at_;
    return true;
  }

  /// Behind an item: true when another one follows, false behind the last, whose bracket has been
  /// taken, or when fault() is set.
  bool next_item(char closing) {
    const char c = peek();
    if (c != ',' && c != closing) return fail(JsonFault::Syntax);
    ++at_;
    return c == ',';
  }

  /// Takes the bracket of an empty list or object.
  bool take_if(char closing) {
    if (peek() != closing) return false;
    ++at_;
    return true;
  }

  bool text(JsonText& out) {
    if (!expect('"')) return false;
    const char* const begin = at_;
    bool escaped = false;
    for (;;) {
      if (at_ == end_) return fail(JsonFault::Syntax);
      const unsigned char c = static_cast<unsigned char>(*at_);
      if (c == '"') break;
      if (c < 0x20) return fail(JsonFault::Syntax);
      if (c == '\\') {
        escaped = true;
        if (!escape()) return false;
      } else if (c < 0x80) {
        ++at_;
      } else {
        const std::size_t length = json_scan::utf8_length(at_, end_);
        if (length == 0) return fail(JsonFault::BadText);
        at_ += length;
      }
    }
    out = JsonText({begin, static_cast<std::size_t>(at_ - begin)}, escaped);
    ++at_;
    return true;
  }

  bool boolean(bool& out) {
    out = peek() == 't';
    return word(out ? "true" : "false");
  }

  /// A number without point and exponent. Syntax for another one.
  bool integer(std::int64_t& out) {
    const char* const begin = (static_cast<void>(peek()), at_);
    bool is_integer = false;
    if (!number(is_integer)) return false;
    const char* const behind = at_;
    at_ = begin;
    if (!is_integer) return fail(JsonFault::Syntax);
    const bool negative = *begin == '-';
    const std::uint64_t limit =
        static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
    std::uint64_t value = 0;
    for (const char* digit = begin + (negative ? 1 : 0); digit != behind; ++digit) {
      const std::uint64_t next = static_cast<std::uint64_t>(*digit - '0');
      if (value > (limit - next) / 10) return fail(JsonFault::OutOfRange);
      value = value * 10 + next;
    }
    at_ = behind;
    out = negative ? static_cast<std::int64_t>(0 - value) : static_cast<std::int64_t>(value);
    return true;
  }

  /// Goes over one value of any kind.
  bool skip_value() {
    std::uint64_t objects = 0;  // a bit for each level, the innermost lowest: object or list
    for (unsigned depth = 0;;) {
      const char c = peek();
      if (c == '{' || c == '[') {
        if (depth == kMaxDepth) return fail(JsonFault::TooDeep);
        ++at_;
        const bool object = c == '{';
        if (!take_if(object ? '}' : ']')) {
          objects = objects << 1 | (object ? 1 : 0);
          ++depth;
          if (object && !skip_key()) return false;
          continue;
        }
      } else if (!skip_scalar(c)) {
        return false;
      }
      for (; depth != 0; --depth, objects >>= 1) {
        const bool object = (objects & 1) != 0;
        if (next_item(object ? '}' : ']')) {
          if (object && !skip_key()) return false;
          break;
        }
        if (fault_ != JsonFault::None) return false;
      }
      if (depth == 0) return true;
    }
  }

 private:
  bool fail(JsonFault fault) {
    fault_ = fault;
    return false;
  }

  bool escape() {  // at a backslash
    const std::size_t left = static_cast<std::size_t>(end_ - at_);
    if (left < 2) return fail(JsonFault::Syntax);
    if (at_[1] != 'u') {
      if (std::string_view("\"\\/bfnrt").find(at_[1]) == std::string_view::npos)
        return fail(JsonFault::Syntax);
      at_ += 2;
      return true;
    }
    if (left < 6) return fail(JsonFault::Syntax);
    const std::uint32_t unit = json_scan::hex4(at_ + 2);
    if (unit > 0xFFFF) return fail(JsonFault::Syntax);
    if (json_scan::is_low_surrogate(unit)) return fail(JsonFault::BadText);
    if (json_scan::is_high_surrogate(unit)) {
      if (left < 12 || at_[6] != '\\' || at_[7] != 'u' ||
          !json_scan::is_low_surrogate(json_scan::hex4(at_ + 8)))
        return fail(JsonFault::BadText);
      at_ += 6;
    }
    at_ += 6;
    return true;
  }

  bool word(std::string_view wanted) {
    static_cast<void>(peek());
    if (static_cast<std::size_t>(end_ - at_) < wanted.size() ||
        std::memcmp(at_, wanted.data(), wanted.size()) != 0)
      return fail(JsonFault::Syntax);
    at_ += wanted.size();
    return true;
  }

  bool digits() {
    const char* const begin = at_;
    while (at_ != end_ && json_scan::is_digit(*at_)) ++at_;
    return at_ != begin || fail(JsonFault::Syntax);
  }

  bool number(bool& is_integer) {
    if (at_ != end_ && *at_ == '-') ++at_;
    const bool zero = at_ != end_ && *at_ == '0';
    if (zero) ++at_;
    if (!zero && !digits()) return false;
    is_integer = true;
    if (at_ != end_ && *at_ == '.') {
      is_integer = false;
      ++at_;
      if (!digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      is_integer = false;
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!digits()) return false;
    }
    return true;
  }

  bool skip_key() {
    JsonText key;
    return text(key) && expect(':');
  }

  bool skip_scalar(char first) {
    JsonText ignored_text;
    bool ignored = false;
    switch (first) {
      case '"':
        return text(ignored_text);
      case 't':
      case 'f':
        return boolean(ignored);
      case 'n':
        return word("null");
      default:
        return number(ignored);
    }
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  JsonFault fault_ = JsonFault::None;
};

}  // namespace ptec
