#include "support/base64.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/error.h"

namespace ptec {
namespace {

constexpr std::uint8_t kPad = '=';

// Six bits of a character that is known to be in the alphabet.
std::uint32_t value_of(std::uint8_t c) {
  if (c >= 'a') return c - std::uint32_t{'a'} + 26;
  if (c >= 'A') return c - std::uint32_t{'A'};
  if (c >= '0') return c - std::uint32_t{'0'} + 52;
  return c == '+' ? 62 : 63;
}

bool in_alphabet(std::uint8_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/';
}

}  // namespace

std::string_view base64_fault_text(Base64Fault fault) {
  switch (fault) {
    case Base64Fault::None:
      return "no fault";
    case Base64Fault::Character:
      return "a character outside the base64 alphabet";
    case Base64Fault::Padding:
      return "base64 padding that is not at the end";
    case Base64Fault::TrailingBits:
      return "base64 whose dropped bits are not zero";
    case Base64Fault::Length:
      return "base64 whose length is not a multiple of four";
  }
  return "a base64 fault";
}

std::uint64_t base64_decoded_size(std::uint64_t text_size, Bytes last_four, Base64Fault* fault) {
  *fault = Base64Fault::None;
  if (text_size == 0) return 0;
  if (text_size % 4 != 0 || last_four.size() != 4) {
    *fault = Base64Fault::Length;
    return 0;
  }
  const auto is_pad = [&](std::size_t i) { return last_four[i] == std::byte{kPad}; };
  if (is_pad(0) || is_pad(1) || (is_pad(2) && !is_pad(3))) {
    *fault = Base64Fault::Padding;
    return 0;
  }
  const std::uint64_t pads = is_pad(2) ? 2 : is_pad(3) ? 1 : 0;
  return text_size / 4 * 3 - pads;
}

Base64Decoder::Step Base64Decoder::feed(Bytes text, std::byte* out) {
  Step total;
  const auto* at = static_cast<const std::uint8_t*>(static_cast<const void*>(text.data()));
  std::size_t left = text.size();
  const auto add = [&](const Step& step) {
    total.written += step.written;
    total.fault = step.fault;
    total.fault_index = step.fault_index;
    return step.fault == Base64Fault::None;
  };
  if (carry_size_ != 0) {
    const std::size_t taken = std::min(4 - carry_size_, left);
    std::copy_n(at, taken, carry_.begin() + static_cast<std::ptrdiff_t>(carry_size_));
    carry_size_ += taken;
    at += taken;
    left -= taken;
    if (carry_size_ < 4) return total;
    carry_size_ = 0;
    if (!add(decode_group(carry_.data(), position_, out))) return total;
    position_ += 4;
  }
  while (left >= 4) {
    if (!padded_) {
      const std::size_t done = decode_base64_groups(at, left / 4, out + total.written);
      at += done * 4;
      left -= done * 4;
      position_ += done * 4;
      total.written += done * 3;
      if (left < 4) break;
    }
    // A group that the loop refused: the padded one at the end, or a fault.
    if (!add(decode_group(at, position_, out + total.written))) return total;
    at += 4;
    left -= 4;
    position_ += 4;
  }
  std::copy_n(at, left, carry_.begin());
  carry_size_ = left;
  return total;
}

Base64Decoder::Step Base64Decoder::decode_group(const std::uint8_t* group,
                                                std::uint64_t index,
                                                std::byte* out) {
  if (padded_) return {0, Base64Fault::Padding, index};
  std::size_t used = 0;
  while (used < 4 && in_alphabet(group[used])) ++used;
  for (std::size_t i = used; i < 4; ++i) {
    if (group[i] == kPad && used >= 2) continue;
    const bool misplaced = group[i] == kPad || in_alphabet(group[i]);
    return {0, misplaced ? Base64Fault::Padding : Base64Fault::Character, index + i};
  }
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < 4; ++i) bits = bits << 6 | (i < used ? value_of(group[i]) : 0);
  for (std::size_t i = 0; i + 1 < used; ++i) {
    out[i] = static_cast<std::byte>((bits >> (16 - 8 * i)) & 0xFFu);
  }
  if (used == 4) return {3, Base64Fault::None, 0};
  const std::uint32_t dropped = used == 3 ? bits & 0xFFu : bits & 0xFFFFu;
  if (dropped != 0) return {used - 1, Base64Fault::TrailingBits, index + used - 1};
  padded_ = true;
  return {used - 1, Base64Fault::None, 0};
}

Base64Decoder::Step Base64Decoder::finish() const {
  if (carry_size_ == 0) return {};
  return {0, padded_ ? Base64Fault::Padding : Base64Fault::Length, position_};
}

std::vector<std::byte> decode_base64(std::string_view text, std::string_view what) {
  Base64Decoder decoder;
  std::vector<std::byte> out(Base64Decoder::room(text.size()));
  Base64Decoder::Step step = decoder.feed(as_bytes(text), out.data());
  const std::size_t written = step.written;
  if (step.fault == Base64Fault::None) step = decoder.finish();
  if (step.fault != Base64Fault::None) {
    fail(ErrorCode::Malformed,
         fmt::format(
             "{}: {} at character {}", what, base64_fault_text(step.fault), step.fault_index));
  }
  out.resize(written);
  return out;
}

}  // namespace ptec
