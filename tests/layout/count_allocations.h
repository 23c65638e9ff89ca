#pragma once

#include <cstddef>

namespace ptec::test {

/// How often this process has asked for memory with `new`.
std::size_t count_allocations();

}  // namespace ptec::test
