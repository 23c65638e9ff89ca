// Reads a blob as if it were one piece.
#pragma once

#include <cstddef>
#include <optional>

#include "ir/delegate.h"
#include "support/payload_reader.h"

namespace ptec::emit {

/// PayloadReader over the pieces of a blob, which it borrows.
class BlobReader {
 public:
  /// With `sums` each piece is checked, without none is.
  explicit BlobReader(const Blob& blob, RecordSums* sums = nullptr) : blob_(blob), sums_(sums) {}

  /// The next bytes, valid until the next call; empty at the end. Throws what PayloadReader does.
  Bytes next();

 private:
  const Blob& blob_;
  RecordSums* sums_;
  std::size_t next_piece_ = 0;
  std::optional<PayloadReader> reader_;  // of the piece before
};

}  // namespace ptec::emit
