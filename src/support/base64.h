// Strict base64: the standard alphabet, `=` at the very end only, no line breaks, no other way to
// write the same bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/bytes.h"

namespace ptec {

enum class Base64Fault {
  None,
  Character,     // outside the alphabet
  Padding,       // `=` where none may stand, or something after it
  TrailingBits,  // bits that decoding drops are not zero: no encoder writes that
  Length,        // the text stops inside a group of four
};

std::string_view base64_fault_text(Base64Fault fault);

/// Size of what `text_size` characters decode to, by their last four. The length must be a multiple
/// of four.
/// `*fault` says what is wrong with the end; the size is then meaningless.
std::uint64_t base64_decoded_size(std::uint64_t text_size, Bytes last_four, Base64Fault* fault);

/// Decodes a text that comes in chunks of any size.
class Base64Decoder {
 public:
  struct Step {
    std::size_t written = 0;  // bytes, right also when there is a fault
    Base64Fault fault = Base64Fault::None;
    std::uint64_t fault_index = 0;  // of the character, from the start of the whole text
  };

  /// Room that `feed` needs for `text_size` characters.
  static constexpr std::size_t room(std::size_t text_size) { return text_size / 4 * 3 + 6; }

  /// Decodes `text` to `out`, which has `room(text.size())` bytes. Stops at the first fault.
  Step feed(Bytes text, std::byte* out);
  /// Whether the text may end here.
  Step finish() const;

 private:
  Step decode_group(const std::uint8_t* group, std::uint64_t index, std::byte* out);

  std::array<std::uint8_t, 4> carry_{};
  std::size_t carry_size_ = 0;
  std::uint64_t position_ = 0;  // characters before the carry
  bool padded_ = false;         // the end was seen
};

/// Decodes a whole text. Throws Malformed with the position in it.
std::vector<std::byte> decode_base64(std::string_view text, std::string_view what);

/// The loops inside, for tests and benches: each decodes whole groups without padding until it
/// meets a character outside the alphabet, and returns how many groups it did. `out` has room for 3
/// * groups bytes.
std::size_t decode_base64_groups_scalar(const std::uint8_t* text,
                                        std::size_t groups,
                                        std::byte* out);
/// The fastest that this processor has.
std::size_t decode_base64_groups(const std::uint8_t* text, std::size_t groups, std::byte* out);
/// Its name: "avx2", "neon" or "scalar".
std::string_view base64_kernel_name();

}  // namespace ptec
