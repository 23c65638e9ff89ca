// What the first bytes of a serialized TensorRT engine tell without TensorRT.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "support/bytes.h"

namespace ptec::inspect {

inline constexpr std::size_t kPlanHeaderBytes = 64;  // enough of an engine for `read_plan_header`

struct PlanHeader {
  std::string magic;    // the first four bytes, printable; empty when the engine is shorter
  std::string product;  // "TensorRT", "TensorRT-RTX" or "unknown"
  std::string version;  // "1.6.1.120"; "unknown" when the product is, or the engine is too short
};

/// `front` is the beginning of an engine. Any bytes are safe here. Source: engines of
/// TensorRT-RTX 1.6, and the version check in TensorRT's own error messages for `ftrt` plans.
PlanHeader read_plan_header(Bytes front);

/// "TensorRT-RTX 1.6.1.120", or "unknown product (magic 'abcd')".
std::string plan_header_text(const PlanHeader& header);

}  // namespace ptec::inspect
