// Instructions of a program as people read them.
#pragma once

#include <string>
#include <vector>

#include "inspect/facts.h"
#include "pte/pte.h"

namespace ptec::inspect {

/// Prints the instructions of one method. Numbers and lists that the program fixes stand in place;
/// results have their types: "aten::topk.values(%6, 3, 1, true, true) -> %10 float32[2, 3], %11
/// int64[2, 3]".
class InstructionPrinter {
 public:
  /// Both outlive the object.
  InstructionPrinter(const PtePlan& plan, const PtePlanFacts& facts);
  std::string text(const PteInstruction& instruction) const;

 private:
  std::string read_text(std::int32_t index) const;
  std::string member_text(std::int64_t index) const;
  std::string written_text(std::int32_t index) const;
  std::string call_text(const std::string& name, const PteInstruction& instruction) const;

  const PtePlan& plan_;
  const PtePlanFacts& facts_;
  std::vector<bool> computed_;  // a value each: it is not fixed by the program
};

}  // namespace ptec::inspect
