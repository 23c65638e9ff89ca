#include "pte/plan_header.h"

#include <fmt/format.h>

#include "support/printable.h"

namespace ptec::inspect {
namespace {

constexpr std::size_t kMagicBytes = 4;
constexpr std::size_t kVersionOffset = 24;  // major, minor, patch, build: a byte each
constexpr std::size_t kVersionBytes = 4;

}  // namespace

PlanHeader read_plan_header(Bytes front) {
  PlanHeader out;
  out.product = "unknown";
  out.version = "unknown";
  if (front.size() < kMagicBytes) return out;
  const std::string_view magic = as_text(front.first(kMagicBytes));
  out.magic = printable(magic);
  if (magic == "ftrt") out.product = "TensorRT";
  if (magic == "vtrt") out.product = "TensorRT-RTX";
  if (out.product == "unknown" || front.size() < kVersionOffset + kVersionBytes) return out;
  const auto byte = [&front](std::size_t i) {
    return std::to_integer<unsigned>(front[kVersionOffset + i]);
  };
  out.version = fmt::format("{}.{}.{}.{}", byte(0), byte(1), byte(2), byte(3));
  return out;
}

std::string plan_header_text(const PlanHeader& header) {
  if (header.product == "unknown") return fmt::format("unknown product (magic '{}')", header.magic);
  return header.product + " " +
         (header.version == "unknown" ? "of unknown version" : header.version);
}

}  // namespace ptec::inspect
