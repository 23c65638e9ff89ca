// The order in which the reference's engine object hands its aliases out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ptec::tensorrt {

/// Indices of `keys` (distinct) in the order in which GNU libstdc++ iterates over an
/// `unordered_map` whose keys are these texts, inserted in the given order one by one. The same on
/// every platform: nothing of the standard library is asked. In linear time. Throws Limit for more
/// than 712,697 keys, the last of the bucket counts that are known here. Source: libstdc++ 12,
/// bits/hashtable.h (`_M_insert_bucket_begin`, `_M_rehash_aux`), hash_bytes.cc,
/// hashtable_c++0x.cc.
std::vector<std::size_t> hash_map_order(const std::vector<std::string_view>& keys);

/// libstdc++'s hash of a text on a 64-bit little-endian machine: MurmurHash64A with its own seed.
std::uint64_t libstdcxx_hash(std::string_view text);

}  // namespace ptec::tensorrt
