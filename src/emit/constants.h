// The constant segment: every distinct content once.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "program/program.h"
#include "support/payload.h"

namespace ptec::emit {

class ConstantTable {
 public:
  /// Index of the constant with these bytes, from 1 on; the same for equal bytes whatever their
  /// dtype or shape.
  std::uint32_t add(const Payload& bytes);

  /// In index order, without the reserved entry 0.
  const std::vector<Payload>& payloads() const { return payloads_; }

 private:
  std::vector<Payload> payloads_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint32_t>> by_size_and_hash_;
};

/// The contiguous bytes of a parameter, buffer or constant, in its dim order. Needs a dense layout
/// (edge/constant_layout.h).
Payload dense_bytes(const TensorData& data);

}  // namespace ptec::emit
