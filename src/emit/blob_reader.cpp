#include "emit/blob_reader.h"

namespace ptec::emit {

Bytes BlobReader::next() {
  while (true) {
    if (reader_) {
      const Bytes bytes = reader_->next();
      if (!bytes.empty()) return bytes;
      reader_.reset();
    }
    if (next_piece_ == blob_.pieces.size()) return {};
    const Payload& piece = blob_.pieces[next_piece_++];
    if (sums_ != nullptr) {
      reader_.emplace(piece, *sums_);
    } else {
      reader_.emplace(piece);
    }
  }
}

}  // namespace ptec::emit
