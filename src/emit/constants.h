// The constant segment: every distinct content once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "support/payload.h"

namespace ptec::emit {

class ConstantTable {
 public:
  /// Index of the constant with these bytes, from 1 on; the same for equal bytes whatever their
  /// dtype or shape. Checks the CRC of the archive member once, before its bytes are first used.
  std::uint32_t add(const Payload& bytes);

  /// In index order, without the reserved entry 0.
  const std::vector<Payload>& payloads() const { return payloads_; }

 private:
  void check_record(const Payload& bytes);

  std::vector<Payload> payloads_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint32_t>> by_size_and_hash_;
  std::set<const FileRecord*> checked_;  // looked up only
};

/// The contiguous bytes of a parameter, buffer or constant, in its dim order. Needs a dense layout
/// (edge/constant_layout.h).
Payload dense_bytes(const TensorData& data);

}  // namespace ptec::emit
