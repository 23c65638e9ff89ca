#pragma once

#include <cstddef>

namespace ptec::test {

/// Number of bindings of a blob with at most 16; -1 for one that is refused.
int read_like_a_delegate(const void* data, std::size_t size_bytes);

}  // namespace ptec::test
