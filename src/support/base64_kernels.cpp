// The loops that decode base64.
//
// Four characters of six bits make three bytes. The plain loop looks each character up in one of
// four tables that hold its six bits at their final place in a little-endian word, ors the four
// together and stores three bytes; a mark in the top byte says that a character was foreign. The
// vector loops do 32 (AVX2) or 64 (NEON) characters at a time and leave what they cannot do to the
// plain loop, which also finds out where exactly a foreign character stands.
//
// How a vector of characters is checked: the alphabet is a union of rectangles in the table of
// (high nibble, low nibble). Each high nibble belongs to one class; `kForbidden[low]` has a bit for
// each class that this low nibble may not meet. A character is foreign exactly if `kClass[high] &
// kForbidden[low]` is not zero.

#include <bit>
#include <cstring>

#include "support/base64.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace ptec {
namespace {

constexpr std::uint32_t kForeign = 0xFF000000u;

constexpr int six_bits(int c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

struct Tables {
  std::uint32_t at[4][256];
};

constexpr Tables make_tables() {
  Tables tables{};
  for (int c = 0; c < 256; ++c) {
    const int value = six_bits(c);
    for (int place = 0; place < 4; ++place) {
      std::uint32_t word = kForeign;
      if (value >= 0) {
        // Where the bits stand in the three bytes read as a big-endian number, then with those
        // bytes swapped.
        const std::uint32_t big = static_cast<std::uint32_t>(value) << (18 - 6 * place);
        word = ((big >> 16) & 0xFFu) | (big & 0xFF00u) | ((big & 0xFFu) << 16);
      }
      tables.at[place][c] = word;
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

#if defined(__x86_64__) || defined(__aarch64__)

// The class of a high nibble is one bit; nibbles that hold no character of the alphabet share
// kNoClass.
constexpr std::uint8_t kNoClass = 1u << 7;

struct Nibbles {
  alignas(16) std::uint8_t class_of_high[16];
  alignas(16) std::uint8_t forbidden_by_low[16];
  alignas(16) std::uint8_t offset_of_high[16];  // to add to the character; entry 1 is for '/'
};

constexpr Nibbles make_nibbles() {
  Nibbles nibbles{};
  for (int high = 0; high < 16; ++high) {
    nibbles.class_of_high[high] =
        high >= 2 && high <= 7 ? static_cast<std::uint8_t>(1u << (high - 2)) : kNoClass;
  }
  for (int low = 0; low < 16; ++low) {
    unsigned forbidden = kNoClass;
    for (int high = 2; high <= 7; ++high) {
      if (six_bits(high * 16 + low) < 0) forbidden |= 1u << (high - 2);
    }
    nibbles.forbidden_by_low[low] = static_cast<std::uint8_t>(forbidden);
  }
  // Within a high nibble all characters have the same distance to their values, but for '+' and '/'
  // in nibble 2.
  constexpr char kSample[8] = {0, '/', '+', '0', 'A', 'P', 'a', 'p'};
  for (int high = 1; high < 8; ++high) {
    nibbles.offset_of_high[high] =
        static_cast<std::uint8_t>(six_bits(kSample[high]) - kSample[high]);
  }
  return nibbles;
}

constexpr Nibbles kNibbles = make_nibbles();

#endif

#if defined(__x86_64__)

// An unaligned 32-byte load; the cast is what the intrinsic asks for.
__attribute__((target("avx2"))) inline __m256i load32(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

__attribute__((target("avx2"))) inline __m256i both_lanes(const std::uint8_t* table) {
  return _mm256_broadcastsi128_si256(
      _mm_load_si128(static_cast<const __m128i*>(static_cast<const void*>(table))));
}

__attribute__((target("avx2"))) std::size_t decode_avx2(const std::uint8_t* text,
                                                        std::size_t groups,
                                                        std::byte* out) {
  const __m256i class_of_high = both_lanes(kNibbles.class_of_high);
  const __m256i forbidden_by_low = both_lanes(kNibbles.forbidden_by_low);
  const __m256i offset_of_high = both_lanes(kNibbles.offset_of_high);
  const __m256i nibble = _mm256_set1_epi8(0x0F);
  const __m256i slash = _mm256_set1_epi8('/');
  const __m256i pairs = _mm256_set1_epi32(0x01400140);  // first * 64 + second
  const __m256i quads = _mm256_set1_epi32(0x00011000);  // first * 4096 + second
  // The three low bytes of each word, last byte first; then the two lanes' 12 bytes side by side.
  const __m256i pick = _mm256_setr_epi8(2,
                                        1,
                                        0,
                                        6,
                                        5,
                                        4,
                                        10,
                                        9,
                                        8,
                                        14,
                                        13,
                                        12,
                                        -1,
                                        -1,
                                        -1,
                                        -1,
                                        2,
                                        1,
                                        0,
                                        6,
                                        5,
                                        4,
                                        10,
                                        9,
                                        8,
                                        14,
                                        13,
                                        12,
                                        -1,
                                        -1,
                                        -1,
                                        -1);
  const __m256i close_up = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
  std::size_t done = 0;
  // A step stores 32 bytes of which 24 count, so it stops while 3 more groups are to come.
  while (groups - done >= 8 + 3) {
    const __m256i in = load32(text + done * 4);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi32(in, 4), nibble);
    const __m256i low = _mm256_and_si256(in, nibble);
    const __m256i classes = _mm256_shuffle_epi8(class_of_high, high);
    const __m256i forbidden = _mm256_shuffle_epi8(forbidden_by_low, low);
    if (_mm256_testz_si256(classes, forbidden) == 0) break;
    // A compare gives -1 for '/', which moves it from entry 2 to entry 1.
    const __m256i entry = _mm256_add_epi8(high, _mm256_cmpeq_epi8(in, slash));
    const __m256i values = _mm256_add_epi8(in, _mm256_shuffle_epi8(offset_of_high, entry));
    const __m256i words = _mm256_madd_epi16(_mm256_maddubs_epi16(values, pairs), quads);
    const __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(words, pick), close_up);
    _mm256_storeu_si256(static_cast<__m256i*>(static_cast<void*>(out + done * 3)), bytes);
    done += 8;
  }
  return done;
}

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

#elif defined(__aarch64__)

std::size_t decode_neon(const std::uint8_t* text, std::size_t groups, std::byte* out) {
  const uint8x16_t class_of_high = vld1q_u8(kNibbles.class_of_high);
  const uint8x16_t forbidden_by_low = vld1q_u8(kNibbles.forbidden_by_low);
  const uint8x16_t offset_of_high = vld1q_u8(kNibbles.offset_of_high);
  std::size_t done = 0;
  while (groups - done >= 16) {
    const uint8x16x4_t in = vld4q_u8(text + done * 4);  // first, second, third, fourth characters
    uint8x16_t values[4];
    uint8x16_t foreign = vdupq_n_u8(0);
    for (int place = 0; place < 4; ++place) {
      const uint8x16_t c = in.val[place];
      const uint8x16_t high = vshrq_n_u8(c, 4);
      const uint8x16_t low = vandq_u8(c, vdupq_n_u8(0x0F));
      foreign = vorrq_u8(
          foreign, vandq_u8(vqtbl1q_u8(class_of_high, high), vqtbl1q_u8(forbidden_by_low, low)));
      const uint8x16_t entry = vaddq_u8(high, vceqq_u8(c, vdupq_n_u8('/')));
      values[place] = vaddq_u8(c, vqtbl1q_u8(offset_of_high, entry));
    }
    if (vmaxvq_u8(foreign) != 0) break;
    uint8x16x3_t bytes;
    bytes.val[0] = vorrq_u8(vshlq_n_u8(values[0], 2), vshrq_n_u8(values[1], 4));
    bytes.val[1] = vorrq_u8(vshlq_n_u8(values[1], 4), vshrq_n_u8(values[2], 2));
    bytes.val[2] = vorrq_u8(vshlq_n_u8(values[2], 6), values[3]);
    vst3q_u8(static_cast<std::uint8_t*>(static_cast<void*>(out + done * 3)), bytes);
    done += 16;
  }
  return done;
}

#endif

}  // namespace

std::size_t decode_base64_groups_scalar(const std::uint8_t* text,
                                        std::size_t groups,
                                        std::byte* out) {
  for (std::size_t done = 0; done < groups; ++done) {
    const std::uint32_t word = kTables.at[0][text[0]] | kTables.at[1][text[1]] |
                               kTables.at[2][text[2]] | kTables.at[3][text[3]];
    if ((word & kForeign) != 0) return done;
    if (std::endian::native == std::endian::little && done + 1 < groups) {
      std::memcpy(out, &word, 4);  // the fourth byte is overwritten by the next group
    } else {
      out[0] = static_cast<std::byte>(word & 0xFFu);
      out[1] = static_cast<std::byte>((word >> 8) & 0xFFu);
      out[2] = static_cast<std::byte>((word >> 16) & 0xFFu);
    }
    text += 4;
    out += 3;
  }
  return groups;
}

std::size_t decode_base64_groups(const std::uint8_t* text, std::size_t groups, std::byte* out) {
  std::size_t done = 0;
#if defined(__x86_64__)
  if (has_avx2()) done = decode_avx2(text, groups, out);
#elif defined(__aarch64__)
  done = decode_neon(text, groups, out);
#endif
  return done + decode_base64_groups_scalar(text + done * 4, groups - done, out + done * 3);
}

std::string_view base64_kernel_name() {
#if defined(__x86_64__)
  return has_avx2() ? "avx2" : "scalar";
#elif defined(__aarch64__)
  return "neon";
#else
  return "scalar";
#endif
}

}  // namespace ptec
