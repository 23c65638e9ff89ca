// What a delegate is, once a backend has taken nodes out of a program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "support/payload.h"

namespace ptec {

/// A key and an opaque value, handed to the backend when it loads the delegate.
struct CompileSpec {
  std::string key;
  std::vector<std::byte> value;
  friend bool operator==(const CompileSpec&, const CompileSpec&) = default;
};

/// One processed blob, as pieces that lie behind one another. Payload pieces are streamed when the
/// file is written.
struct Blob {
  std::vector<Payload> pieces;
  std::uint64_t size_bytes() const {
    std::uint64_t total = 0;
    for (const Payload& piece : pieces) total += piece.size_bytes();
    return total;
  }
};

/// One delegate call: a `delegate::call` node names it by its index in Program::delegates.
struct Delegate {
  std::string backend_id;
  std::string name;  // of the node that it replaced, for messages and tools
  std::vector<CompileSpec> compile_specs;
  Blob blob;
};

}  // namespace ptec
