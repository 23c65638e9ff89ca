// A table of rules, as the files of one family give it.
#pragma once

#include <cstddef>

namespace ptec::edge {

/// Borrows rows that live as long as the process.
template <typename T>
struct Rows {
  const T* first;
  std::size_t count;
  const T* begin() const { return first; }
  const T* end() const { return first + count; }
};

}  // namespace ptec::edge
